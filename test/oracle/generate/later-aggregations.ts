/** Measures of the later kinds with other aggregations: rarer functions, and rows that count once per joined row. */
import type { MeasureJson, ModelJson } from '../model.js'
import { addresses } from './measures.js'
import type { Random } from './random.js'

/** Percentiles, conditions counted and aggregated, approximate counts. */
export function rarer(random: Random, model: ModelJson): Record<string, MeasureJson> {
  const objects = random.some(Object.keys(model.dataObjects), random.between(1, 3))
  return Object.fromEntries(
    objects.flatMap((dataObject, i) => {
      const own = addresses(model.dataObjects, dataObject)
      const [number] = random.some(
        own.filter((c) => ['int', 'decimal', 'float'].includes(c.kind)),
        1,
      )
      const [flag] = random.some(
        own.filter((c) => c.kind === 'boolean'),
        1,
      )
      const any = random.pick(own)
      const of = ({ column }: (typeof own)[number]): NonNullable<MeasureJson['columns']> => [{ dataObject, column }]
      const condition = flag && random.chance(0.5) ? { columns: of(flag) } : { expression: conditionOn(random, any) }
      const measure = random.pick<MeasureJson | undefined>([
        number && { aggregation: 'percentile', columns: of(number), percentile: random.pick([0, 0.1, 0.25, 0.5, 0.95, 1]) },
        { aggregation: 'count_if', ...condition },
        { aggregation: random.pick(['bool_and', 'bool_or']), ...condition },
        { aggregation: 'approx_count_distinct', columns: of(any) },
      ])
      return measure ? [[`rare ${i}`, measure]] : []
    }),
  )
}

function conditionOn(random: Random, { dataObject, column, kind }: ReturnType<typeof addresses>[number]): string {
  const field = `{[${dataObject}].[${column}]}`
  if (kind === 'int' || kind === 'decimal')
    return random.pick([`${field} > 1`, `${field} <= 2 OR ${field} IS NULL`, `NOT ${field} = 3`])
  return random.pick([`${field} IS NULL`, `${field} IS NOT NULL`])
}

/** Measures of columns again, counting a row once per connection. */
export function fannedOut(random: Random, model: ModelJson): Record<string, MeasureJson> {
  const plain = Object.entries(model.measures ?? {}).filter(([, m]) => m.columns?.length === 1)
  return Object.fromEntries(
    random.some(plain, random.between(1, 2)).map(([name, measure]) => [`fanned ${name}`, { ...measure, allowFanOut: true }]),
  )
}
