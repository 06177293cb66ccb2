/** The fields of a model for the lists of the page. */
import type { Metric, Schema } from '../api/types.js'
import type { FieldKind } from '../query/query.js'

export interface Field {
  readonly name: string
  readonly kind: FieldKind
  /** Where it is listed: the object it belongs to, or `Metrics`. */
  readonly group: string
  readonly type: string
  readonly description?: string
  /** One line that describes how it is computed. */
  readonly made: string
  /** The searched text, in lower case. */
  readonly searched: string
  readonly isTime: boolean
  /** A count of all rows of its object, which every object has. */
  readonly isRowCount?: boolean
  readonly status?: string
  readonly use?: string
  /** For a comparison of periods: the compared measure and the time. */
  readonly compares?: string
  readonly timeDimension?: string
}

export const METRICS = 'Metrics'

export function fieldsOf({ dimensions, measures, metrics, data_objects }: Schema): readonly Field[] {
  const described = new Map(
    data_objects.map(({ name, description, synonyms }) => [name, [name, description, ...synonyms].join(' ')]),
  )
  const made = [
    ...dimensions.map((each) => ({
      ...shared(each),
      kind: 'dimension' as const,
      group: each.data_object,
      type: each.result_type,
      made: `Dimension of ${each.data_object}${each.time_grain === null ? '' : `, by ${each.time_grain}`}`,
      isTime: /^(?:date|timestamp)/.test(each.result_type),
    })),
    ...measures.map((each) => ({
      ...shared(each),
      kind: 'measure' as const,
      group: each.columns[0]?.data_object ?? each.anchor ?? objectIn(each.expression) ?? METRICS,
      type: each.result_type ?? '',
      isRowCount: each.columns.length === 0 && each.expression === undefined,
      made: `${each.aggregation} of ${each.expression ?? (each.columns.map(({ column }) => column).join(', ') || 'rows')}`,
      isTime: false,
    })),
    ...metrics.map((each) => ({
      ...shared(each),
      kind: 'metric' as const,
      group: METRICS,
      type: each.type,
      made: each.expression ?? `${each.type} of ${each.component_measures.join(', ')}`,
      isTime: false,
      ...(each.type === 'period_over_period' && { compares: comparedBy(each), timeDimension: each.timeDimension }),
    })),
  ]
  return made.map(({ words, ...field }) => ({
    ...field,
    searched: [words, field.made, described.get(field.group)].join(' ').toLowerCase(),
  }))
}

interface Named {
  readonly name: string
  readonly description?: string
  readonly synonyms: readonly string[]
  readonly status?: string
  readonly use?: string
}

const shared = ({ name, description, synonyms, status, use }: Named) => ({
  name,
  description,
  status,
  use,
  words: [name, description, status, ...synonyms].join(' '),
})

/** The measure or metric of a comparison, if it compares only one. */
const comparedBy = ({ expression, measure }: Metric): string | undefined =>
  measure ?? /^\s*\{\[([^\]]+)\]\}\s*$/.exec(expression ?? '')?.[1]

/** The object of a measure with an expression such as `{[Planes].[Seats]}`. */
const objectIn = (expression: string | undefined): string | undefined => /\{\[([^\]]+)\]\.\[/.exec(expression ?? '')?.[1]

export interface Group {
  readonly name: string
  readonly description?: string
  readonly fields: readonly Field[]
}

/** Objects in the order of the model, those without fields left out, metrics last. */
export function groupsOf(schema: Schema, fields: readonly Field[]): readonly Group[] {
  const of = new Map<string, Field[]>()
  for (const field of fields) of.set(field.group, [...(of.get(field.group) ?? []), field])
  const objects = schema.data_objects.map(({ name, description }) => ({ name, description }))
  const all =
    of.has(METRICS) && !objects.some(({ name }) => name === METRICS)
      ? [...objects, { name: METRICS, description: undefined }]
      : objects
  return all.flatMap(({ name, description }) => (of.has(name) ? [{ name, description, fields: of.get(name)! }] : []))
}

/** Every word must be found; the best ones are those whose name begins with the text. */
export function matching(fields: readonly Field[], text: string): readonly Field[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return fields.filter(({ searched }) => words.every((word) => searched.includes(word)))
}

/** A measure to compare with its value in an earlier period, and the time dimension for it. */
export interface Comparison {
  readonly measure: string
  readonly time: string
}
