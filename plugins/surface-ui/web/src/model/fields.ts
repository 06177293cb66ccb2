/** The fields of a model for the lists of the page. */
import type { DataObject, Measure, Metric, Schema } from '../api/types.js'
import type { FieldKind } from '../query/query.js'

export interface Field {
  readonly name: string
  /** What a view calls it. */
  readonly label?: string
  readonly kind: FieldKind
  /** The object that it belongs to; of a metric, that of its measures, or `SEVERAL`. */
  readonly group: string
  readonly type: string
  readonly description?: string
  /** One line that describes how it is computed. */
  readonly made: string
  /** The searched text, in lower case. */
  readonly searched: string
  readonly isTime: boolean
  /** Of a time in the model. */
  readonly grain?: string
  /** A count of all rows of its object, which every object has. */
  readonly isRowCount?: boolean
  readonly status?: string
  readonly use?: string
  /** For a comparison of periods: the compared measure and the time. */
  readonly compares?: string
  readonly timeDimension?: string
}

/** The heading of the measures and metrics that belong to no single fact. */
export const SEVERAL = 'Over several facts'
/** The heading of the row counts of objects that have no measure of their own. */
export const ROW_COUNTS = 'Row counts'

export function fieldsOf({ dimensions, measures, metrics, data_objects }: Schema): readonly Field[] {
  const described = new Map(
    data_objects.map(({ name, description, synonyms }) => [name, [name, description, ...synonyms].join(' ')]),
  )
  const homes = new Map(measures.map((each) => [each.name, homeOf(each)]))
  const made = [
    ...dimensions.map((each) => ({
      ...shared(each),
      kind: 'dimension' as const,
      group: each.data_object,
      type: each.result_type,
      made: `Dimension of ${each.data_object}${each.time_grain === null ? '' : `, by ${each.time_grain}`}`,
      isTime: /^(?:date|timestamp)/.test(each.result_type),
      ...(each.time_grain !== null && { grain: each.time_grain }),
    })),
    ...measures.map((each) => ({
      ...shared(each),
      kind: 'measure' as const,
      group: homeOf(each),
      type: each.result_type ?? '',
      isRowCount: each.columns.length === 0 && each.expression === undefined && each.anchor !== undefined,
      made: `${each.aggregation} of ${each.expression ?? (each.columns.map(({ column }) => column).join(', ') || 'rows')}`,
      isTime: false,
    })),
    ...metrics.map((each) => ({
      ...shared(each),
      kind: 'metric' as const,
      group: factOf(each, homes, metrics),
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

/** The object whose rows a measure counts. */
const homeOf = ({ anchor, columns, expression }: Measure): string =>
  anchor ?? columns[0]?.data_object ?? objectIn(expression) ?? SEVERAL

/** The object of a measure with an expression such as `{[Planes].[Seats]}`. */
const objectIn = (expression: string | undefined): string | undefined => /\{\[([^\]]+)\]\.\[/.exec(expression ?? '')?.[1]

/** The object of all measures from which a metric is computed. */
function factOf(metric: Metric, homes: ReadonlyMap<string, string>, metrics: readonly Metric[]): string {
  const found = new Set<string>()
  const [seen, stack] = [new Set<string>(), [metric.name]]
  const byName = new Map(metrics.map((each) => [each.name, each]))
  for (let name = stack.pop(); name !== undefined; name = stack.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    const home = homes.get(name)
    if (home !== undefined) found.add(home)
    else stack.push(...(byName.get(name)?.component_measures ?? []))
  }
  const [only] = found
  return found.size === 1 && only !== undefined ? only : SEVERAL
}

export const SECTIONS = ['Views', 'Measures', 'Dimensions'] as const
export interface Group {
  readonly section: (typeof SECTIONS)[number]
  readonly name: string
  readonly description?: string | undefined
  readonly fields: readonly Field[]
  /** Collapsed until it is opened: what few people look for. */
  readonly isAside?: boolean
}

/** The views, then measures and metrics by their fact, the fact with most of them first; then dimensions by their object, those of facts first. */
export function groupsOf(schema: Schema, fields: readonly Field[]): readonly Group[] {
  const numbers = fields.filter(({ kind }) => kind !== 'dimension')
  const facts = factsOf(schema, numbers)
  const described = new Map(schema.data_objects.map(({ name, description }) => [name, description]))
  const group = (section: Group['section'], name: string, listed: readonly Field[]): Group => ({
    section,
    name,
    description: described.get(name),
    fields: listed,
  })
  const dimensions = fields.filter(({ kind }) => kind === 'dimension')
  const objects = [...new Set([...facts, ...described.keys()])]
  const several = numbers.filter((each) => each.group === SEVERAL)
  const counts = numbers.filter((each) => each.group !== SEVERAL && !facts.includes(each.group))
  return [
    ...viewsOf(schema, fields),
    ...facts.map((name) => group('Measures', name, measuresFirst(numbers.filter((each) => each.group === name)))),
    group('Measures', SEVERAL, several),
    { ...group('Measures', ROW_COUNTS, counts), isAside: facts.length > 0 },
    ...objects.map((name) =>
      group(
        'Dimensions',
        name,
        dimensions.filter((each) => each.group === name),
      ),
    ),
  ].filter((each) => each.fields.length > 0)
}

/** Each view with its fields, under their names there. A field is the same number in every view, so it is asked of the model. */
const viewsOf = ({ views = [] }: Schema, fields: readonly Field[]): readonly Group[] => {
  const byName = new Map(fields.map((field) => [field.name, field]))
  return views.map(({ name, description, fields: shown }) => ({
    section: 'Views',
    name,
    description,
    fields: shown.flatMap((one) => {
      const field = byName.get(one.field)
      if (!field) return []
      return [
        one.name === field.name ? field : { ...field, label: one.name, searched: `${one.name.toLowerCase()} ${field.searched}` },
      ]
    }),
  }))
}

/** Objects with measures besides the count of their rows, and objects with groups of their own that no object joins. */
function factsOf({ data_objects }: Schema, numbers: readonly Field[]): readonly string[] {
  const joined = new Set(data_objects.flatMap(({ join_targets }) => join_targets))
  const own = new Map<string, number>()
  for (const { group, isRowCount } of numbers) if (isRowCount !== true) own.set(group, (own.get(group) ?? 0) + 1)
  const isAlone = ({ name, join_targets }: DataObject) =>
    own.size === 0 && !joined.has(name) && join_targets.length > 0 && numbers.some(({ group }) => group === name)
  const facts = data_objects.filter((each) => own.has(each.name) || isAlone(each)).map(({ name }) => name)
  return facts.toSorted((a, b) => (own.get(b) ?? 0) - (own.get(a) ?? 0))
}

/** Metrics after the measures that they are computed from. */
const measuresFirst = (numbers: readonly Field[]): readonly Field[] =>
  numbers.toSorted((a, b) => Number(a.kind === 'metric') - Number(b.kind === 'metric'))

/** The fields in which every word is found, those first whose names have the words. */
export function matching(fields: readonly Field[], text: string): readonly Field[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = fields.filter(({ searched }) => words.every((word) => searched.includes(word)))
  return found.toSorted((a, b) => distance(a, words) - distance(b, words))
}

/** 0: the name is the text. 1: it begins with it. 2: it has every word. 3: the words are elsewhere. */
export function distance({ name }: Pick<Field, 'name'>, words: readonly string[]): number {
  const [own, text] = [name.toLowerCase(), words.join(' ')]
  if (own === text) return 0
  if (own.startsWith(text)) return 1
  return words.every((word) => own.includes(word)) ? 2 : 3
}

/** A measure to compare with its value in an earlier period, and the time dimension for it. */
export interface Comparison {
  readonly measure: string
  readonly time: string
}
