/** The declarations and uses of names: the basis of definition, references, rename and completion. */
import { isMap, isScalar, type Scalar } from 'yaml'
import { isPeriodPath, objectOfNamedColumn, ownPeriods } from './column-places.js'
import { referencesIn } from './expression-token.js'
import { childOf, contentOf, dotted, type Entry, type ModelText, type Segments, type Span, textOf } from './model-text.js'

/** `field` is a measure, metric or dimension: they share one namespace. */
export type SymbolKind = 'object' | 'column' | 'field' | 'segment' | 'calendar' | 'parameter'

export interface ModelSymbol {
  readonly kind: SymbolKind
  readonly name: string
  /** The data object of a column. */
  readonly object: string | undefined
}

export interface Occurrence extends ModelSymbol, Span {
  readonly declares: boolean
  /** The scalar that contains it. */
  readonly node: Scalar
  readonly entry: Entry
}

export function occurrencesOf(model: ModelText): Occurrence[] {
  return model.entries.flatMap((entry) => [...declared(entry), ...used(entry, model)])
}

export const isSame = (a: ModelSymbol, b: ModelSymbol): boolean => a.kind === b.kind && a.name === b.name && a.object === b.object

/** The names of a kind that the model declares; for columns, those of one object. */
export function namesOf(model: ModelText, kind: SymbolKind, object?: string): string[] {
  const names = model.entries.flatMap((entry) =>
    declared(entry).filter((found) => found.kind === kind && found.object === object),
  )
  return names.map(({ name }) => name)
}

const SECTIONS: Readonly<Record<string, SymbolKind>> = {
  dataObjects: 'object',
  dimensions: 'field',
  measures: 'field',
  metrics: 'field',
  segments: 'segment',
  calendars: 'calendar',
  parameters: 'parameter',
}

function declared(entry: Entry): Occurrence[] {
  const { path, key } = entry
  const kind = path.length === 2 ? SECTIONS[String(path[0])] : isColumnPath(path) ? 'column' : undefined
  if (!kind || !key) return []
  const object = kind === 'column' ? String(path[1]) : undefined
  return [{ kind, object, name: String(path.at(-1)), declares: true, node: key, entry, ...contentOf(key) }]
}

const isColumnPath = (path: Segments): boolean => path.length === 4 && path[0] === 'dataObjects' && path[2] === 'columns'

/** The kind of name in the value of a key; for an item, that of its list. */
const NAMES: Readonly<Record<string, SymbolKind>> = {
  joinTo: 'object',
  dataObject: 'object',
  via: 'object',
  anchor: 'object',
  mainFact: 'object',
  timeDimension: 'field',
  conversionTimeDimension: 'field',
  entity: 'field',
  partitionBy: 'field',
  include: 'field',
  exclude: 'field',
  keepOnly: 'field',
  per: 'field',
  hierarchy: 'field',
  measure: 'field',
  exists: 'object',
  base: 'field',
  conversion: 'field',
  use: 'field',
  dimensions: 'field',
  measures: 'field',
  segment: 'segment',
  parameter: 'parameter',
}

/** What the scalar of an entry refers to, by its key in the language of models or of the queries in it. */
export function meaningOf(
  entry: Entry,
  model: ModelText,
): { readonly kind: SymbolKind; readonly object?: string | undefined } | undefined {
  const { path, parent } = entry
  const last = path.at(-1)
  const named = objectOfNamedColumn(entry, model)
  if (named !== undefined) return { kind: 'column', object: named }
  const key = typeof last === 'number' ? path.at(-2) : last
  if (typeof key !== 'string' || path.length < 2) return undefined
  const object = String(path[1])
  if (key === 'offsetGrain') return columnOfPeriods(entry, model)
  if (isWindowPath(path) && (key === 'column' || key === 'partitionBy' || key === 'orderBy') && path.length <= 7)
    return { kind: 'column', object }
  if ((key === 'column' || key === 'sortBy') && isScalarPlace(path))
    return {
      kind: 'column',
      object: textOf(childOf(model, parent, 'dataObject')?.value) ?? (isUnitPath(path.slice(0, -1)) ? object : undefined),
    }
  if (key === 'columnsFrom' || (key === 'weight' && path.length === 3)) return { kind: 'column', object }
  if (key === 'columnsTo')
    return { kind: 'column', object: textOf(childOf(model, model.byPath.get(dotted(path.slice(0, -2))), 'joinTo')?.value) }
  if ((key === 'source' || key === 'target') && path.includes('usePathNames')) return { kind: 'object' }
  if (key === 'fields' && path[0] === 'views') return { kind: 'field' }
  if (key === 'field') return isQueryPath(path) ? { kind: 'field' } : { kind: 'column' }
  const kind = NAMES[key]
  return kind && { kind }
}

/** A grain that only a table of days knows is named by its column. */
function columnOfPeriods({ value }: Entry, model: ModelText) {
  const [only, other] = ownPeriods(model).filter(({ name }) => isScalar(value) && name === textOf(value))
  return only && !other ? { kind: 'column' as const, object: only.object } : undefined
}

/** In the window function of a column. */
const isWindowPath = (path: Segments): boolean => isColumnPath(path.slice(0, 4)) && path[4] === 'window'

/** The unit of a column, a measure or a metric. */
const isUnitPath = (path: Segments): boolean =>
  path.at(-1) === 'unit' &&
  (isColumnPath(path.slice(0, -1)) || (path.length === 3 && (path[0] === 'measures' || path[0] === 'metrics')))

/** `column: X` and not `column: { … }`. */
const isScalarPlace = (path: Segments): boolean => typeof path.at(-1) === 'string'

/** In an example, a test, a segment, a view or a rollup. */
export const isQueryPath = (path: Segments): boolean =>
  ['examples', 'tests', 'segments', 'views', 'rollups'].includes(String(path[0]))

const used = (entry: Entry, model: ModelText): Occurrence[] => [...inKey(entry), ...inValue(entry, model)]

/** The columns of a calendar that tell its periods are keys. */
function inKey(entry: Entry): Occurrence[] {
  const { path, key } = entry
  if (!isPeriodPath(path) || !key) return []
  return [
    { kind: 'column', object: String(path[1]), name: String(path.at(-1)), declares: false, node: key, entry, ...contentOf(key) },
  ]
}

function inValue(entry: Entry, model: ModelText): Occurrence[] {
  const { value, path } = entry
  if (!isScalar(value)) return []
  if (path.at(-1) === 'expression' || isUnitPath(path)) return inExpression(entry, value, model)
  const name = textOf(value)
  const meaning = name === undefined ? undefined : meaningOf(entry, model)
  if (name === undefined || meaning === undefined) return []
  const span = contentOf(value)
  if (meaning.kind === 'column' && path.at(-1) === 'field') return inFilter(name, span, { node: value, entry, model })
  const grain = isQueryPath(path) ? /:[a-z_]+$/.exec(name)?.[0].length : undefined
  const bare = grain === undefined ? { name, ...span } : { name: name.slice(0, -grain), from: span.from, to: span.to - grain }
  return [{ object: undefined, ...meaning, ...bare, declares: false, node: value, entry }]
}

interface Place {
  readonly node: Scalar
  readonly entry: Entry
  readonly model: ModelText
}

/** `Object.Column`, the short form in filters; a column of the rows that are looked for; or the object whose row they connect with. */
function inFilter(name: string, span: Span, { node, entry, model }: Place): Occurrence[] {
  const { from, to } = span
  const dot = name.indexOf('.')
  const shared = { declares: false, node, entry }
  const target = targetOf(entry, model)
  if (target !== undefined && namesOf(model, 'column', target).includes(name))
    return [{ kind: 'column', object: target, name, ...span, ...shared }]
  if (dot < 0)
    return namesOf(model, 'object').includes(name) ? [{ kind: 'object', object: undefined, name, ...span, ...shared }] : []
  const [object, column] = [name.slice(0, dot), name.slice(dot + 1)]
  return [
    { kind: 'object', object: undefined, name: object, from, to: from + dot, ...shared },
    { kind: 'column', object, name: column, from: from + dot + 1, to, ...shared },
  ]
}

/** The object whose rows an `exists` or a window around this place reads. */
function targetOf({ path }: Entry, model: ModelText): string | undefined {
  if (isWindowPath(path)) return String(path[1])
  const inner = path.lastIndexOf('subquery')
  const at = inner >= 0 ? [...path.slice(0, inner + 1), 'dataObject'] : [...path.slice(0, 4), 'exists']
  return inner >= 0 || isColumnPath(path.slice(0, 4)) ? textOf(model.byPath.get(dotted(at))?.value) : undefined
}

function inExpression(entry: Entry, node: Scalar, model: ModelText): Occurrence[] {
  const { text } = model
  const ofMetric = entry.path[0] === 'metrics'
  const owner = isColumnPath(entry.path.slice(0, -1)) ? String(entry.path[1]) : targetOf(entry, model)
  const shared = { declares: false, node, entry }
  return referencesIn(text, contentOf(node)).flatMap(({ object, name }): Occurrence[] => {
    if (!object && name.name.startsWith('@')) {
      const parameter = { name: name.name.slice(1), from: name.from + 1, to: name.to }
      return [{ kind: 'parameter', object: undefined, ...parameter, ...shared }]
    }
    if (ofMetric) return [{ kind: 'field', object: undefined, ...name, ...shared }]
    const of = object?.name ?? owner
    const column: Occurrence[] = of === undefined ? [] : [{ kind: 'column', object: of, ...name, ...shared }]
    return object ? [{ kind: 'object', object: undefined, ...object, ...shared }, ...column] : column
  })
}

/** The name of the row count of an object; `undefined` if it has none. */
export function countName(model: ModelText, object: string): string | undefined {
  const of = (path: Segments) => textOf(model.byPath.get(dotted(path))?.value)
  if (of(['exposeCounts']) === 'false' || of(['dataObjects', object, 'countable']) === 'false') return undefined
  return (
    of(['dataObjects', object, 'countLabel']) ?? (of(['countLabelPattern']) ?? '{object} Count').replaceAll('{object}', object)
  )
}

/** The fields that may be named: those of the section, and for measures also the row counts. */
export function fieldsOf(model: ModelText, ...sections: readonly ('dimensions' | 'measures' | 'metrics')[]): string[] {
  const written = sections.flatMap((section) => {
    const value = model.byPath.get(section)?.value
    return isMap(value) ? value.items.flatMap(({ key }) => textOf(key) ?? []) : []
  })
  const counts = sections.includes('measures') ? namesOf(model, 'object').flatMap((object) => countName(model, object) ?? []) : []
  return [...new Set([...written, ...counts])]
}
