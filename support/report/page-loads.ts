/** Ways by which a page fetches an address as soon as it is opened; a link that a person follows is none of them. */
const LOADS: readonly RegExp[] = [
  /<(?:script|img|iframe|frame|embed|source|video|audio|track|input)\b[^>]*?\s(?:src|srcset|poster)\s*=\s*["']?\s*(?<url>(?:https?:|wss?:)?\/\/[^\s"'>]+)/gi,
  /<link\b[^>]*?\shref\s*=\s*["']?\s*(?<url>(?:https?:)?\/\/[^\s"'>]+)/gi,
  /<(?:object|form)\b[^>]*?\s(?:data|action)\s*=\s*["']?\s*(?<url>(?:https?:)?\/\/[^\s"'>]+)/gi,
  /<meta\b[^>]*?\brefresh\b[^>]*?url\s*=\s*(?<url>(?:https?:)?\/\/[^\s"'>]+)/gi,
  /(?:@import\s+(?:url\()?|\burl\()\s*["']?\s*(?<url>(?:https?:)?\/\/[^\s"')]+)/gi,
  /\b(?:fetch|importScripts|import|sendBeacon|new\s+(?:WebSocket|EventSource|Worker))\s*\(\s*["'`](?<url>(?:https?:|wss?:)?\/\/[^"'`]+)/gi,
  /(?<url>(?:https?:)?\/\/(?:www\.)?(?:googletagmanager|google-analytics)\.com[^\s"']*)/gi,
]

/** Addresses on the net that a page would load by itself, as far as its text shows. */
export function pageLoads(page: string): string[] {
  const found = LOADS.flatMap((pattern) =>
    [...page.matchAll(pattern)].map((match) => match.groups?.url ?? ''),
  )
  return [...new Set(found)]
}
