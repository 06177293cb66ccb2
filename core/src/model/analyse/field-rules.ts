/** Which fields are hidden. A name that means nothing would hide nothing, so it is an error. */
import { type Fields, fieldsBelow } from '../columns-read.js'
import type { AccessDocument } from '../document/access.js'
import { type ColumnRef, leavesOf } from '../expression/ast.js'
import { columnKey, HIDES_NOTHING, withReaders } from '../hidden-fields.js'
import type { Segments } from '../parse/locate.js'
import type { FieldRule, HiddenNames, Measure, Segment } from '../semantic-model.js'
import type { Context } from './context.js'

export type Declared = Fields & { readonly segments: ReadonlyMap<string, Segment> }
type RuleDocument = NonNullable<AccessDocument['fields']>[number]

export function readFieldRules(rules: readonly RuleDocument[], declared: Declared, context: Context): readonly FieldRule[] {
  return rules.flatMap(({ hide, publish = [], unless = [] }, i) => {
    // A list of a wrong shape is not here; it is an error already.
    if (!Array.isArray(hide)) return []
    const at = ['access', 'fields', i]
    const named = hide.map((name, place) => namedBy(name, [...at, 'hide', place], declared, context))
    for (const [place, name] of publish.entries()) checkPublished(name, [...at, 'publish', place], declared, context)
    const hidden = withReaders(unionOf(named), publish, declared)
    warnOfShownColumns(hide, hidden, at, declared, context)
    warnOfPublishedValues(publish, hidden, at, declared, context)
    return [{ unless, hidden }]
  })
}

function unionOf(all: readonly HiddenNames[]): HiddenNames {
  const union = (key: keyof HiddenNames) => new Set(all.flatMap((one) => [...one[key]]))
  return { objects: new Set(), columns: union('columns'), fields: union('fields'), segments: union('segments') }
}

function namedBy(name: string, segments: Segments, declared: Declared, { faults }: Context): HiddenNames {
  const { dimensions, measures, metrics } = declared
  if ([dimensions, measures, metrics].some((fields) => fields.has(name))) return { ...HIDES_NOTHING, fields: new Set([name]) }
  if (declared.segments.has(name)) return { ...HIDES_NOTHING, segments: new Set([name]) }
  const columns = new Map(columnNames(declared))
  const column = columns.get(name)
  if (column !== undefined) return { ...HIDES_NOTHING, columns: new Set([column]) }
  const known = [dimensions, measures, metrics, declared.segments, columns].flatMap((all) => [...all.keys()])
  const message = `'${name}' is not a dimension, measure, metric, segment or 'Object.Column' of this model, so nothing would be hidden`
  faults.unknown('UNKNOWN_ACCESS_FIELD', segments, { message, name, known })
  return HIDES_NOTHING
}

function* columnNames({ dataObjects }: Declared): Iterable<readonly [string, string]> {
  for (const { name, columns } of dataObjects.values())
    for (const column of columns.keys()) yield [`${name}.${column}`, columnKey({ object: name, column })]
}

function checkPublished(name: string, segments: Segments, { measures, metrics }: Declared, { faults }: Context): void {
  if (measures.has(name) || metrics.has(name)) return
  const message = `'${name}' is not a measure or metric of this model; only these are published`
  faults.unknown('UNKNOWN_ACCESS_FIELD', segments, { message, name, known: [...measures.keys(), ...metrics.keys()] })
}

/** A dimension is one way to see its column. */
function warnOfShownColumns(
  hide: readonly string[],
  { columns }: HiddenNames,
  segments: Segments,
  { dimensions }: Declared,
  { faults }: Context,
): void {
  for (const [i, name] of hide.entries()) {
    const read = leavesOf<ColumnRef>(dimensions.get(name)?.expression ?? NO_COLUMN).filter(({ kind }) => kind === 'column')
    const shown = read.find((ref) => !columns.has(columnKey(ref)))
    if (!shown || read.length > 1) continue
    const message = `'${name}' is hidden, and its column '${shown.object}.${shown.column}' is not`
    faults.warn('COLUMN_NOT_HIDDEN', [...segments, 'hide', i], message, { suggestions: [`${shown.object}.${shown.column}`] })
  }
}

const NO_COLUMN = { kind: 'literal', value: null, type: { kind: 'boolean' } } as const

/** Aggregates whose value is that of a row. */
const OF_ONE_ROW: ReadonlySet<string> = new Set([
  'min',
  'max',
  'any_value',
  'first',
  'last',
  'listagg',
  'mode',
  'median',
  'percentile',
])

function warnOfPublishedValues(
  publish: readonly string[],
  { columns }: HiddenNames,
  segments: Segments,
  declared: Declared,
  { faults }: Context,
): void {
  const reads = ({ inputs }: Measure): boolean =>
    inputs.some((input) => leavesOf<ColumnRef>(input).some((ref) => columns.has(columnKey(ref))))
  for (const [i, name] of publish.entries()) {
    const below = fieldsBelow(name, declared).flatMap((each) => declared.measures.get(each) ?? [])
    const measure = below.find((each) => OF_ONE_ROW.has(each.aggregation) && reads(each))
    if (!measure) continue
    const message = `'${name}' is published, and its ${measure.aggregation} shows values of a hidden column as they are`
    faults.warn('PUBLISHES_VALUES', [...segments, 'publish', i], message)
  }
}
