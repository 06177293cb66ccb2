/** Generated models with names, notes and balances as people write them. */
import type { SemanticModel } from '@grainline/core'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { generateModel } from '../oracle/generate/model.js'
import { type Random, randomFrom } from '../oracle/generate/random.js'

const NAMES = [
  'Größe',
  'a "quoted" name',
  'order',
  'Total Of All',
  'total',
  'TOTAL',
  'x.y',
  '日本',
  "it's",
  'case',
  'Id',
  'NAME',
  'name',
  '2nd',
]

type Entry = Record<string, unknown>

export function generatedModel(seed: number): SemanticModel {
  const random = randomFrom(seed)
  const document = structuredClone(generateModel(random)) as unknown as Entry
  delete document['filters']
  const names = renames(document, random)
  const changed = JSON.parse(JSON.stringify(document), (_key, value: unknown) => renamed(value, names)) as Entry
  for (const kind of ['dimensions', 'measures', 'metrics', 'dataObjects'])
    for (const entry of Object.values((changed[kind] ?? {}) as Record<string, Entry>)) note(entry, kind, random)
  balances(changed, random)
  const { model, errors } = parseModelSync({ json: changed })
  if (!model) throw new Error(`seed ${seed}: ${JSON.stringify(errors)}`)
  return model
}

/** Other names for some fields. */
function renames(document: Entry, random: Random): ReadonlyMap<string, string> {
  const left = [...NAMES]
  const taken = new Set<string>()
  return new Map(
    ['dimensions', 'measures', 'metrics'].flatMap((kind) =>
      Object.keys((document[kind] ?? {}) as Entry).flatMap((name): [string, string][] => {
        if (left.length === 0 || !random.chance(0.3)) return []
        const [other = name] = left.splice(random.below(left.length), 1)
        return taken.has(other) ? [] : [[name, other]]
      }),
    ),
  )
}

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string')
    return value.replace(/\{\[([^\][]+)\]\}/g, (all, name: string) => (names.has(name) ? `{[${names.get(name)}]}` : all))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [names.get(key) ?? key, each]))
}

function note(entry: Entry, kind: string, random: Random): void {
  if (random.chance(0.2))
    entry['description'] = random.pick(['In euros', "Who buys, and doesn't", 'Größe: "x"\nsecond line', 'a $$ b'])
  if (random.chance(0.2)) entry['synonyms'] = random.some(['area', "it's", 'part, whole', '"q"'], 2)
  if (kind === 'dimensions' && random.chance(0.1)) entry['hidden'] = true
}

function balances(document: Entry, random: Random): void {
  const dimensions = Object.entries((document['dimensions'] ?? {}) as Record<string, Entry>)
  const times = dimensions.filter(
    ([, { timeGrain, resultType }]) => timeGrain === undefined && /^(date|timestamp)$/.test(String(resultType)),
  )
  for (const measure of Object.values((document['measures'] ?? {}) as Record<string, Entry>)) {
    const columns = measure['columns'] as readonly { readonly dataObject: string }[] | undefined
    const own = times.filter(([, { dataObject }]) => dataObject === columns?.[0]?.dataObject)
    if (own.length > 0 && ['sum', 'min', 'count'].includes(String(measure['aggregation'])) && random.chance(0.5))
      measure['semiAdditive'] = { timeDimension: random.pick(own)[0], take: random.pick(['first', 'last', 'avg']) }
  }
}
