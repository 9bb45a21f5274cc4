import type { Catalogue, CataloguedParameter, CataloguedStep } from './catalogue.ts'

/** The page that lists every step; `poolwright steps --write` writes it, and a test holds it against the steps. */
export const STEPS_PAGE = new URL('../../docs/steps.md', import.meta.url)

/** The page. Without line numbers, which change with every line above. */
export function stepsPage({ steps, parameters }: Catalogue): string {
  const nouns = [...Map.groupBy(steps, ({ noun }) => noun)]
  return [PREFACE, parametersTable(parameters), ...nouns.map(([noun, all]) => section(noun, all))]
    .join('\n\n')
    .concat('\n')
}

const PREFACE = `# Steps

Every step that a scenario can be written with, by noun: the name of the file that defines it. \`poolwright steps\` shows the
same with the line of each, and \`npm run poolwright -- steps --write\` writes this page anew. A pattern between \`^\` and \`$\` is a
regular expression; the others are Cucumber expressions, in which these stand for values:`

function parametersTable(parameters: readonly CataloguedParameter[]): string {
  const rows = parameters.map(({ name, expressions, doc }) => {
    const forms = expressions.map((each) => code(each)).join(', ')
    return `| ${cell(code(`{${name}}`))} | ${cell(forms)} | ${cell(doc)} |`
  })
  return ['| parameter | matches | |', '| --- | --- | --- |', ...rows].join('\n')
}

function section(noun: string, steps: readonly CataloguedStep[]): string {
  const file = steps[0]?.file ?? ''
  return [`## ${noun}`, `In [${file}](../${file}).`, ...steps.map(entry)].join('\n\n')
}

function entry({ keyword, pattern, doc, example }: CataloguedStep): string {
  const shown = example
    ? `For example ${code(`${keyword} ${example.text}`)} in [${example.feature}](../${example.feature}).`
    : 'No feature uses it.'
  return [`**${keyword}** ${code(pattern)}  `, ...(doc ? [`${doc}  `] : []), shown].join('\n')
}

/** Between as many backticks as its content allows. */
function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

/** A table cell ends at a bar, also within code. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
