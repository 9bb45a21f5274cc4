import { pageLoads } from '../page-loads.ts'

// Data and blobs are how a page in one file reaches its own parts; nothing else is left for it to ask for.
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' data: blob:",
  "style-src 'unsafe-inline' data: blob:",
  'img-src data: blob:',
  'media-src data: blob:',
  'font-src data:',
  'connect-src data: blob:',
  'frame-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const META = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`

/**
 * The page without the analytics that its generator embeds, and with a policy that forbids whatever a later version
 * might embed. Throws when something that loads from outside is still there.
 */
export function withoutOutsideLoads(page: string): string {
  const stripped = page
    .replaceAll(/<script\b[^>]*\bsrc\s*=\s*["']?(?:https?:)?\/\/[^>]*>\s*<\/script>/gi, '')
    .replaceAll(/<link\b[^>]*\bhref\s*=\s*["']?(?:https?:)?\/\/[^>]*>/gi, '')
    .replaceAll(/<script>(?:(?!<\/script>)[\s\S]){0,2000}\bdataLayer\b[\s\S]*?<\/script>/g, '')
  const left = pageLoads(stripped)
  if (left.length > 0) throw new Error(`the Allure page would load ${left.join(', ')}`)
  return stripped.replace(/<head>/i, `<head>\n    ${META}`)
}
