/** What Go wrote into a program about its making. */
export interface GoBuildInfo {
  /** As in "go1.26.8". */
  readonly go: string
  readonly package: string
  /** Module path to version and sum, as replaced: "v0.36.3 h1:…". */
  readonly modules: Readonly<Record<string, string>>
}

/** Reads what `go version -m FILES` prints, in its order of files. */
export function parseGoBuildInfo(text: string): readonly GoBuildInfo[] {
  return text
    .split(/\n(?=\S)/)
    .filter((part) => part.trim() !== '')
    .map(parseOne)
}

function parseOne(text: string): GoBuildInfo {
  const [first = '', ...lines] = text.split('\n')
  const modules: Record<string, string> = {}
  let packagePath = ''
  let module = ''
  for (const line of lines) {
    const [, kind, name = '', version = '', sum = ''] = line.split('\t')
    if (kind === 'path') packagePath = name
    // A replaced module has its line without a sum, and what replaces it comes next.
    if (kind === 'dep') module = name
    if (kind === 'dep' || kind === '=>') modules[module] = `${version} ${sum}`.trim()
  }
  return { go: first.slice(first.lastIndexOf(' ') + 1), package: packagePath, modules }
}
