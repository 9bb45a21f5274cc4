import { execa } from 'execa'

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Asks the desktop to show an address; where there is none, the printed address has to do. */
export function openBrowser(url: string): void {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open']
  const options = { stdio: 'ignore', detached: true, cleanup: false, reject: false } as const
  const opener = execa(program, [...words, url], options)
  opener.nodeChildProcess?.unref()
}
