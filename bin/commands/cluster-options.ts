import { InvalidArgumentError, Option } from 'commander'
import type { ClusterProvider } from '../../clusters/provider.ts'
import { PROVIDERS } from '../../clusters/registry.ts'

/** Which rung of the ladder a command works on. */
export function clusterOption(): Option {
  const rungs = PROVIDERS.map(({ rung }) => rung)
  return new Option('--cluster <rung>', `rung of the ladder of clusters: ${rungs.join(', ')}`)
    .argParser(findProvider)
    .default(findProvider('embedded'), 'embedded')
}

function findProvider(rung: string): ClusterProvider {
  const provider = PROVIDERS.find((candidate) => candidate.rung === rung)
  if (provider) return provider
  throw new InvalidArgumentError(
    `There is no such rung; there is ${PROVIDERS.map((known) => known.rung).join(', ')}.`,
  )
}
