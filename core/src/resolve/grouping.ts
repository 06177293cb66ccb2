import { fail } from '../errors.js'
import { firstOf, zip } from '../invariant.js'
import { BOOLEAN, commonType, type DataType, sameType } from '../model/data-type.js'
import type { Grouping } from '../query/query-object.js'
import { isSame } from '../same.js'
import { type AggregateRequest, resolveAggregate, resolveShown } from './aggregate.js'
import { Aliases } from './aliases.js'
import { absentOutput, dimensionOutput, shownDimension } from './dimension-output.js'
import { literal, typedNull } from './expressions.js'
import { find, unknownName } from './lookup.js'
import { type RowExpr, relationColumn } from './relation-column.js'
import {
  type AggregateQuery,
  type GroupedQuery,
  hasDimension,
  nameOfDimension,
  type Output,
  type ResolvedAggregate,
  type ResolvedDimension,
  type ResolvedOrder,
} from './resolved-query.js'
import { addsRows, isOfShown, shownCondition, withNeededConditions } from './shown-tuples.js'

const MAX_LEVELS = 64

/** Every level of a rollup, a cube or a list of sets, each resolved as a separate query (docs/subtotals.md). */
export function resolveGrouped(grouping: Grouping, request: AggregateRequest): GroupedQuery {
  const { dimensions } = request
  const kept = levelsOf(grouping, dimensions)
  const shown = isOfShown(grouping) ? shownOf(kept, request) : undefined
  const base = shown ? ofShown(request) : request.base
  const query = shown ? { ...request.query, having: [] } : request.query
  const aliases = new Aliases()
  // A limit or offset applies to all levels together, so the keys that break ties are added there.
  const whole = { ...request, query, base: { ...base, limit: undefined, offset: undefined } }
  const each = alike(kept.map((level) => resolveAggregate({ ...whole, dimensions: level, selected: dimensions })))
  const rowsAreShown = shown !== undefined && each.some(addsRows)
  const resolved = rowsAreShown ? each.map(withNeededConditions) : each
  const detail = firstOf(resolved)
  const names = [...labels(detail, dimensions), ...dimensions.map((d) => `${d.label} is total`)].map((name) => ({
    name,
    column: aliases.column(name),
  }))
  const columns = zip(resolved, kept).map(([level, own]) => shownOutputs(level, own, dimensions))
  const sorting = detail.order.map((_, i): SortColumn => {
    const type = commonType(resolved.flatMap(({ order }) => order[i]?.type ?? []))
    const at = names.findIndex((_name, n) => resolved.every(({ order }, l) => isShownAs(order[i], columns[l]?.[n])))
    return { type, column: names[at]?.column ?? aliases.column(`order ${i + 1}`), isHidden: at < 0 }
  })
  const isPaged = base.limit !== undefined || base.offset !== undefined
  const ties = isPaged ? tieColumns(dimensions, detail, aliases) : []
  const levels = zip(resolved, columns).map(([level, own]) => ({
    ...level,
    order: [],
    limit: undefined,
    offset: undefined,
    outputs: [
      ...zip(own, names).map(([output, { column }]) => ({ ...output, name: column })),
      ...hiddenOutputs(level, sorting),
      ...ties.map((tie) => tieOutput(level, tie)),
    ],
  }))
  const first = columns[0] ?? []
  const outputs = zip(first, names).map(([output, { name, column }]) => ({
    ...output,
    name,
    expression: relationColumn('', column, shownType(output)),
    displayAs: undefined,
    ofNull: undefined,
  }))
  return {
    kind: 'grouped',
    ...base,
    levels,
    outputs: zip(outputs, first).map(([o, output]) => ({ ...o, type: shownType(output) })),
    order: orderOf(detail, { sorting, dimensions, outputs, ties }, base),
    ...(shown && { shown, rowsAreShown }),
  }
}

/** Throws `INVALID_QUERY` if the answer has no detail rows. */
function shownOf(levels: readonly (readonly ResolvedDimension[])[], request: AggregateRequest): AggregateQuery {
  const { dimensions, query } = request
  if (query.shownBy === undefined && !levels.some((level) => level.length === dimensions.length)) {
    const hint = `add the set ${JSON.stringify(dimensions.map((d) => d.label))}`
    fail('INVALID_QUERY', 'totals of what is shown need the detail rows among the sets', { path: 'grouping.sets', hint })
  }
  return resolveShown(request, levels)
}

/** Only the rows behind what is shown count. The page is one of detail rows. */
const ofShown = ({ base, dimensions, calendarTimes }: AggregateRequest): AggregateRequest['base'] => ({
  ...base,
  where: [...base.where, shownCondition(dimensions, calendarTimes(dimensions))],
  limit: undefined,
  offset: undefined,
})

/** A measure that one level reads through a weighted bridge and another does not has one type in all of them. */
function alike(levels: readonly AggregateQuery[]): readonly AggregateQuery[] {
  const shown = levels.map((level) => fieldsOf(level).map(shownType))
  const types = (shown[0] ?? []).map((_, i) => commonType(shown.flatMap((own) => own[i] ?? [])))
  return levels.map((level) => {
    const first = level.outputs.length - types.length
    const outputs = level.outputs.map((o, i) => {
      const type = types[i - first]
      return type === undefined || sameType(type, shownType(o)) ? o : { ...o, displayAs: type }
    })
    return { ...level, outputs }
  })
}

/** The dimensions of each level, each level once. */
function levelsOf(grouping: Grouping, dimensions: readonly ResolvedDimension[]): readonly (readonly ResolvedDimension[])[] {
  const listed = typeof grouping === 'string' ? grouping : grouping.sets
  if (listed === 'rollup') return rollup(dimensions)
  return listed === 'cube' ? cube(dimensions) : sets(listed, dimensions)
}

const shownType = ({ type, displayAs }: Output) => displayAs ?? type

/** {d1 … dn}, {d1 … dn−1}, …, {}. */
const rollup = (dimensions: readonly ResolvedDimension[]): (readonly ResolvedDimension[])[] =>
  Array.from({ length: dimensions.length + 1 }, (_, i) => dimensions.slice(0, dimensions.length - i))

/** All subsets, the largest first. */
function cube(dimensions: readonly ResolvedDimension[]): (readonly ResolvedDimension[])[] {
  if (2 ** dimensions.length > MAX_LEVELS) {
    fail(
      'INVALID_QUERY',
      `a cube over ${dimensions.length} dimensions has more than ${MAX_LEVELS} levels; select fewer, or use rollup`,
      { path: 'grouping' },
    )
  }
  const subsets = Array.from({ length: 2 ** dimensions.length }, (_, mask) =>
    dimensions.filter((_d, i) => (mask & (1 << i)) === 0),
  )
  return subsets.toSorted((a, b) => b.length - a.length)
}

/** By the selected name, or that of its dimension. Throws `UNKNOWN_DIMENSION`. */
function sets(
  listed: readonly (readonly string[])[],
  dimensions: readonly ResolvedDimension[],
): (readonly ResolvedDimension[])[] {
  const levels = new Map<string, readonly ResolvedDimension[]>()
  for (const [i, names] of listed.entries()) {
    const wanted = new Set(names.flatMap((name, j) => selected(name, dimensions, `grouping.sets[${i}][${j}]`)))
    const level = dimensions.filter((d) => wanted.has(d))
    levels.set(JSON.stringify(level.map((d) => d.label)), level)
  }
  if (levels.size > MAX_LEVELS)
    fail('INVALID_QUERY', `the sets make ${levels.size} levels; ${MAX_LEVELS} is the most`, { path: 'grouping.sets' })
  return [...levels.values()].toSorted((a, b) => b.length - a.length)
}

function selected(name: string, dimensions: readonly ResolvedDimension[], path: string): readonly ResolvedDimension[] {
  const written = find(name, new Map(dimensions.map((d) => [d.label, d])))
  const found = written ? [written] : dimensions.filter((d) => nameOfDimension(d) === name)
  if (found.length > 0) return found
  return unknownName('UNKNOWN_DIMENSION', { name, what: 'not a selected dimension', known: dimensions.map((d) => d.label) }, path)
}

function labels(detail: AggregateQuery, dimensions: readonly ResolvedDimension[]): string[] {
  return [...dimensions.map((d) => d.label), ...fieldsOf(detail).map((o) => o.name)]
}

const fieldsOf = (level: AggregateQuery): readonly Output[] => level.outputs.filter((o) => o.role !== 'dimension')

/** A sort key, in a separate column unless it is selected. It has one type on all levels; otherwise an engine may round it to the digits of one level. */
interface SortColumn {
  readonly column: string
  readonly type: DataType
  readonly isHidden: boolean
}

/** Whether the sort key is a column of the answer, as it is computed. */
const isShownAs = (order: ResolvedOrder | undefined, output: Output | undefined): boolean =>
  order !== undefined &&
  output !== undefined &&
  output.displayAs === undefined &&
  output.ofNull === undefined &&
  isSame(output.expression, order.expression)

/** What a level shows: every dimension, its values, and which dimensions it aggregates. */
function shownOutputs(
  level: AggregateQuery,
  kept: readonly ResolvedDimension[],
  dimensions: readonly ResolvedDimension[],
): readonly Output[] {
  const own = dimensions.map((d) => (kept.includes(d) ? shownDimension(d) : absentOutput(d)))
  const flags = dimensions.map(
    (d): Output => ({
      ...dimensionOutput(d),
      role: 'grouping',
      type: BOOLEAN,
      expression: literal(!kept.includes(d), BOOLEAN),
      format: undefined,
      sequence: undefined,
    }),
  )
  return [...own, ...fieldsOf(level), ...flags]
}

/** The sort keys of a level that it does not show. */
const hiddenOutputs = (level: AggregateQuery, sorting: readonly SortColumn[]): readonly Output[] =>
  zip(level.order, sorting).flatMap(([o, sort]): readonly Output[] => {
    if (!sort.isHidden) return []
    const displayAs = sameType(o.type, sort.type) ? undefined : sort.type
    return [{ name: sort.column, role: 'grouping', type: o.type, expression: o.expression, displayAs, format: undefined }]
  })

/** The column that orders the values of a dimension, for pages. */
interface TieColumn {
  readonly dimension: ResolvedDimension
  readonly sort: ResolvedAggregate
  readonly column: string
}

const tieColumns = (
  dimensions: readonly ResolvedDimension[],
  { sorts }: AggregateQuery,
  aliases: Aliases,
): readonly TieColumn[] =>
  dimensions.flatMap((dimension) => {
    const sort = dimension.sortBy && sorts.find(({ dimensions: by }) => by.length === 1 && hasDimension(by, dimension))
    return sort ? [{ dimension, sort, column: aliases.column(sort.name) }] : []
  })

/** NULL on a level that is not grouped by the dimension. */
function tieOutput(level: AggregateQuery, { dimension, sort: { name, type }, column }: TieColumn): Output {
  const isKept = hasDimension(level.dimensions, dimension)
  return hidden(column, isKept ? relationColumn('', name, type) : typedNull(type), type)
}

const hidden = (name: string, expression: RowExpr, type: DataType): Output => ({
  name,
  role: 'grouping',
  type,
  expression,
  displayAs: undefined,
  format: undefined,
})

/** The columns that can sort the rows of all levels. */
interface SortedColumns {
  readonly sorting: readonly SortColumn[]
  readonly dimensions: readonly ResolvedDimension[]
  readonly outputs: readonly Output[]
  readonly ties: readonly TieColumn[]
}

/**
 * The order of the query. With a limit or offset, each dimension follows after its flags, so that the detail comes first, then the others,
 * then their subtotal.
 */
function orderOf(
  detail: AggregateQuery,
  { sorting, dimensions, outputs, ties }: SortedColumns,
  page: Pick<GroupedQuery, 'limit' | 'offset'>,
): ResolvedOrder[] {
  const asked = zip(detail.order, sorting).map(([o, { column, type }]) => ({
    ...o,
    expression: relationColumn('', column, type),
    output: undefined,
  }))
  if (page.limit === undefined && page.offset === undefined) return asked
  const flags = outputs.slice(outputs.length - dimensions.length)
  const others = outputs.filter((o, i) => o.role === 'grouping' && i < outputs.length - dimensions.length)
  const othersOf = ({ top }: ResolvedDimension): readonly Output[] => (top?.others === undefined ? [] : others)
  const keyOf = (d: ResolvedDimension): readonly Output[] =>
    ties.flatMap((tie) =>
      tie.dimension === d ? [hidden(tie.column, relationColumn('', tie.column, tie.sort.type), tie.sort.type)] : [],
    )
  const inOrder = ({ expression, type, sequence }: Output): ResolvedOrder => ({
    expression,
    type,
    sequence,
    descending: false,
    nullsFirst: false,
    output: undefined,
  })
  const more = dimensions.flatMap((d, i) => [flags[i]!, ...othersOf(d), ...keyOf(d), outputs[i]!].map(inOrder))
  // Among rows that a column has ordered already, in whatever direction, it is the same.
  const isOrdered = (tie: ResolvedOrder): boolean =>
    asked.some((one) => isSame(one.expression, tie.expression) && isSame(one.sequence, tie.sequence))
  return [...asked, ...more.filter((tie) => !isOrdered(tie))]
}
