/** What a rule of access hides: what it names, and everything that is computed from that. */
import { grouped } from '../grouped.js'
import { columnsOfCondition, columnsOfWindow, type Fields, objectsSought } from './columns-read.js'
import { isTemporal } from './data-type.js'
import { dimensionsNamed } from './dimensions-named.js'
import { type ColumnRef, leavesOf } from './expression/ast.js'
import {
  type Column,
  componentsOf,
  type Dimension,
  type HiddenNames,
  type Measure,
  type Metric,
  type ModelCondition,
  type Segment,
} from './semantic-model.js'
import { isWithin, type Named, overlap, placeKey, storedPlace } from './stored-place.js'

type Declared = Fields & { readonly segments: ReadonlyMap<string, Segment> }

export const columnKey = ({ object, column }: Named): string => `${object}\0${column}`

function refOf(key: string): Named {
  const [object = '', column = ''] = key.split('\0')
  return { object, column }
}

export const HIDES_NOTHING: HiddenNames = { objects: new Set(), columns: new Set(), fields: new Set(), segments: new Set() }

/** The union of what several rules hide: what one of them publishes, another may hide. */
export const hiddenByAll = (rules: readonly HiddenNames[]): HiddenNames => ({
  objects: new Set(rules.flatMap(({ objects }) => [...objects])),
  columns: new Set(rules.flatMap(({ columns }) => [...columns])),
  fields: new Set(rules.flatMap(({ fields }) => [...fields])),
  segments: new Set(rules.flatMap(({ segments }) => [...segments])),
})

/** `named` and all that reads it, except the measures and metrics of `publish` and what reads only these. */
export function withReaders(named: HiddenNames, publish: readonly string[], declared: Declared): HiddenNames {
  // Whose rows are there tells of what is hidden.
  const objects = new Set([...named.objects, ...elementsOf(named.columns, declared)])
  const columns = new Set([...named.columns, ...sameStored(named.columns, declared), ...keysOf(objects, declared)])
  const fields = new Set(named.fields)
  const shown = new Set(publish)
  const hidden = { objects, columns, fields, segments: named.segments }
  for (let before = -1; before !== columns.size + fields.size; ) {
    before = columns.size + fields.size
    for (const { object, column } of columnsOf(declared))
      if (readsInColumn(column, hidden) || isOfHiddenTree(object, column, hidden, declared))
        columns.add(columnKey({ object, column: column.name }))
    for (const dimension of declared.dimensions.values()) if (readsInDimension(dimension, hidden)) fields.add(dimension.name)
    for (const measure of declared.measures.values())
      if (!shown.has(measure.name) && readsInMeasure(measure, hidden)) fields.add(measure.name)
    for (const metric of declared.metrics.values())
      if (!shown.has(metric.name) && readsInMetric(metric, hidden, declared)) fields.add(metric.name)
  }
  const mentioned = mentionsOf(hidden)
  const segments = [...declared.segments.values()].filter(({ filters }) => mentioned(filters)).map(({ name }) => name)
  return { ...hidden, objects: named.objects, segments: new Set([...named.segments, ...segments]) }
}

/** The objects whose rows are the elements of these columns, at any depth. */
function elementsOf(columns: ReadonlySet<string>, { dataObjects }: Declared): readonly string[] {
  const nested = [...dataObjects.values()].flatMap(({ name, nestedIn }) => (nestedIn ? [{ name, nestedIn }] : []))
  if (nested.length === 0) return []
  const lists = [...columns].flatMap((key) => storedPlace(refOf(key), dataObjects) ?? [])
  return nested.flatMap(({ name, nestedIn: { dataObject: object, column } }) => {
    const list = storedPlace({ object, column }, dataObjects)
    return list && lists.some((one) => isWithin(list, one)) ? [name] : []
  })
}

const keysOf = (objects: ReadonlySet<string>, declared: Declared): readonly string[] =>
  [...columnsOf(declared)].flatMap(({ object, column }) =>
    objects.has(object) ? [columnKey({ object, column: column.name })] : [],
  )

/** The columns that show what these hold: under another name, in another object over the table, or as a part or the whole of nested data. */
function sameStored(columns: ReadonlySet<string>, declared: Declared): readonly string[] {
  const stored = [...columnsOf(declared)].flatMap(({ object, column }) => {
    const ref = { object, column: column.name }
    const place = storedPlace(ref, declared.dataObjects)
    return place ? [{ place, key: columnKey(ref) }] : []
  })
  return [...grouped(stored, ({ place }) => placeKey(place)).values()].flatMap((near) => {
    const named = near.filter(({ key }) => columns.has(key))
    return near.filter(({ place }) => named.some((one) => overlap(one.place, place))).map(({ key }) => key)
  })
}

/** Whether a field reads something hidden itself: its definition is not shown. */
export function readsHidden(name: string, hidden: HiddenNames, declared: Omit<Fields, 'dataObjects'>): boolean {
  const [measure, metric] = [declared.measures.get(name), declared.metrics.get(name)]
  return (
    (measure !== undefined && readsInMeasure(measure, hidden)) ||
    (metric !== undefined && readsInMetric(metric, hidden, declared))
  )
}

function* columnsOf({ dataObjects }: Declared): Iterable<{ readonly object: string; readonly column: Column }> {
  for (const { name, columns } of dataObjects.values()) for (const column of columns.values()) yield { object: name, column }
}

const isHidden = (ref: ColumnRef, { columns }: HiddenNames): boolean => columns.has(columnKey(ref))

function readsInColumn({ source }: Column, hidden: HiddenNames): boolean {
  switch (source.kind) {
    case 'physical':
      return false
    case 'expression':
      return leavesOf<ColumnRef>(source.expression).some((ref) => isHidden(ref, hidden))
    case 'measure':
      return hidden.fields.has(source.measure)
    case 'exists':
      return hidden.objects.has(source.target) || source.filters.some((filter) => readsInCondition(filter, hidden))
    case 'window':
      return columnsOfWindow(source).some((ref) => isHidden(ref, hidden))
  }
}

/** The pairs of a closure tell the key and the parent of each row. */
function isOfHiddenTree(object: string, { source }: Column, hidden: HiddenNames, { dataObjects }: Declared): boolean {
  const closure = dataObjects.get(object)?.closure
  if (!closure || source.kind !== 'physical') return false
  return (
    hidden.objects.has(closure.dataObject) ||
    [closure.key, closure.parent].some((column) => hidden.columns.has(columnKey({ object: closure.dataObject, column })))
  )
}

const readsInDimension = ({ dataObject, expression }: Dimension, hidden: HiddenNames): boolean =>
  hidden.objects.has(dataObject) || leavesOf<ColumnRef>(expression).some((ref) => isHidden(ref, hidden))

const readsInCondition = (condition: ModelCondition, hidden: HiddenNames): boolean =>
  columnsOfCondition(condition).some((ref) => isHidden(ref, hidden)) ||
  objectsSought(condition).some((name) => hidden.objects.has(name))

function readsInMeasure(measure: Measure, hidden: HiddenNames): boolean {
  const { inputs, filters, withinGroup, orderBy, semiAdditive, grain, filterContext, unit = [], rowCountOf, anchor } = measure
  const columns = [
    ...inputs.flatMap((input) => leavesOf<ColumnRef>(input)),
    ...[withinGroup ?? [], orderBy].flat().map(({ column }) => column),
    ...unit.flatMap(({ of }): ColumnRef[] => (of.kind === 'column' ? [of] : [])),
  ]
  const objects = [rowCountOf ?? [], anchor ?? []].flat()
  const levels = [grain, filterContext].flatMap((level) => (level ? [level.include, level.exclude, level.keepOnly].flat() : []))
  const names = [...(semiAdditive ? [semiAdditive.timeDimension, ...semiAdditive.per] : []), ...levels]
  return (
    columns.some((ref) => isHidden(ref, hidden)) ||
    filters.some((filter) => readsInCondition(filter, hidden)) ||
    objects.some((name) => hidden.objects.has(name)) ||
    names.some((name) => hidden.fields.has(name))
  )
}

const readsInMetric = (metric: Metric, hidden: HiddenNames, declared: Pick<Fields, 'dimensions' | 'measures'>): boolean =>
  [...componentsOf(metric), ...dimensionsNamed(metric), ...timesUnsaid(metric, declared)].some((name) =>
    hidden.fields.has(name),
  ) || countsInHidden(metric, hidden)

/** Whether an offset counts in the periods of a column of a table of days that is hidden. */
const countsInHidden = (metric: Metric, hidden: HiddenNames): boolean =>
  metric.type === 'period_over_period' && metric.offsetPeriods !== undefined && isHidden(metric.offsetPeriods, hidden)

/** The times of events that a conversion does not name: it then runs along the time of their object. */
function timesUnsaid(metric: Metric, { dimensions, measures }: Pick<Fields, 'dimensions' | 'measures'>): readonly string[] {
  if (metric.type !== 'conversion') return []
  const { base, conversion, timeDimension, conversionTimeDimension } = metric
  const unsaid = [...(timeDimension === undefined ? [base] : []), ...(conversionTimeDimension === undefined ? [conversion] : [])]
  const objects = new Set(unsaid.flatMap((name) => objectsOf(measures.get(name))))
  return [...dimensions.values()].flatMap(({ name, dataObject, type }) =>
    objects.has(dataObject) && isTemporal(type) ? [name] : [],
  )
}

const objectsOf = (measure: Measure | undefined): readonly string[] =>
  measure === undefined
    ? []
    : [
        ...[measure.rowCountOf ?? [], measure.anchor ?? []].flat(),
        ...measure.inputs.flatMap((input) => leavesOf<ColumnRef>(input)).map(({ object }) => object),
      ]

/**
 * Whether a written query or filter mentions what is hidden: as a text that is its name, with or without a grain, or inside the braces of an expression. A text
 * that only happens to be such a name counts, too.
 */
export function mentionsOf({ objects, columns, fields, segments }: HiddenNames): (written: unknown) => boolean {
  const ofColumns = [...columns].map(refOf)
  const names = new Set([
    ...[...objects, ...fields, ...segments].map((name) => name.toLowerCase()),
    ...ofColumns.map(({ object, column }) => `${object}.${column}`.toLowerCase()),
  ])
  // Inside an exists filter, and as the unit of a comparison, a column has only its own name.
  const own = new Set(ofColumns.map(({ column }) => column.toLowerCase()))
  const isName = (text: string, isInside: boolean): boolean => {
    const lower = text.trim().toLowerCase()
    const bare = lower.replace(/:[^:]*$/, '').trimEnd()
    return [lower, bare].some((name) => names.has(name) || (isInside && own.has(name)))
  }
  const found = (value: unknown, isInside: boolean): boolean => {
    if (typeof value === 'string') return isName(value, isInside) || namesInBraces(value).some((name) => isName(name, false))
    if (Array.isArray(value)) return value.some((item) => found(item, isInside))
    if (typeof value !== 'object' || value === null) return false
    return Object.entries(value).some(([key, item]) => found(item, isInside || key === 'subquery' || key === 'unit'))
  }
  return (written) => found(written, false)
}

/** `{Name}`, `{[Name]}` and `{[Object].[Column]}`, as `Name` and `Object.Column`. */
const namesInBraces = (text: string): readonly string[] =>
  [...text.matchAll(/\{([^{}]*)\}/g)].map(([, inside = '']) => inside.replaceAll(/\]\s*\.\s*\[/g, '.').replaceAll(/^\[|\]$/g, ''))
