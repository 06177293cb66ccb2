import { fail, within } from '../errors.js'
import { isHiddenName } from '../hidden-name.js'
import { type DataType, INT } from '../model/data-type.js'
import { type ColumnRef, leavesOf } from '../model/expression/ast.js'
import { columnsOf } from '../resolve/conditions.js'
import { integer } from '../resolve/expressions.js'
import type { NamedColumn } from '../resolve/named-column.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import {
  type AggregateQuery,
  type BehindQuery,
  columnOf,
  hasDimension,
  type Output,
  type ResolvedAggregate,
  type ResolvedDimension,
} from '../resolve/resolved-query.js'
import type { ColumnRole } from '../result/record-batch.js'
import { includesSame, isSame } from '../same.js'
import { type Bound, bindAggregate } from './bind-aggregate.js'
import { bindBlock } from './bind-block.js'
import type { BindContext } from './bind-context.js'
import { type BlockRequest, semiAdditiveKeys } from './block-request.js'
import { blockRequests, reachOf } from './block-requests.js'
import type { BoundBlock, NamedExpr, TypedExpr } from './bound-block.js'
import type { BoundBehind } from './bound-query.js'
import { atFineness } from './in-days.js'
import { NO_REACH, reachOfAll } from './reach.js'
import { readExpression, readField } from './read-rows.js'
import type { Rows } from './rows.js'

/**
 * The rows that were aggregated to the value of a measure in a cell: those of the block that the query itself reads, before they are
 * aggregated, and only those of the groups of the cell. Throws `NO_ROWS_BEHIND` for a value that is computed from other values.
 */
export function bindBehind(
  { level, cell, shows, columns, where, limit, offset, shown }: BehindQuery,
  context: BindContext,
): Bound<BoundBehind> {
  const requests = atFineness(blockRequests(level), level)
  const request = requests[0]?.request
  const aggregate = request?.aggregates[0]
  if (!request || !aggregate || level.aggregates.length > 1 || level.steps.length > 0) return refuseComputed()
  const block = bindBlock(request, context, {
    only: cell.flatMap(({ dimension, condition }) => (hasDimension(request.dimensions, dimension) ? [condition] : [])),
    beside: (base, distinct) =>
      shows === 'rows'
        ? withChosen(besideOf(request, aggregate, base), columns ?? [], base).filter((c) => !distinct || c.type.kind !== 'json')
        : [EACH],
  })
  const outputs = columns && shows === 'rows' ? chosenOf(block, columns) : outputsOf(shows, block, aggregate, level)
  const paged = limit !== undefined || offset !== undefined
  const tuples = shown && { rows: bindAggregate(shown, context).rows, limit: shown.limit, offset: shown.offset }
  const ties = paged ? tiesOf(outputs, request.base, context) : []
  return {
    rows: { kind: 'behind', block, shows, outputs, ties, ...(tuples && { tuples }) },
    // Conditions that do not reach these rows restrict other measures of the query.
    reach: reachOfAll([{ ...NO_REACH, applied: where }, reachOf(requests, level)]),
    warnings: [],
    bases: [request.base],
  }
}

/** Rows exist even if nothing of them is read. */
const EACH: NamedExpr = { name: 'each', type: INT, expression: integer(1) }

const refuseComputed = (): never =>
  fail('NO_ROWS_BEHIND', 'The value is computed from other values, and has no rows of its own', { path: 'measure' })

function outputsOf(
  shows: BehindQuery['shows'],
  block: BoundBlock,
  { measure }: ResolvedAggregate,
  level: AggregateQuery,
): readonly Output[] {
  switch (shows) {
    case 'count':
      return [output('rows', relationColumn('', 'rows', INT), INT, 'field')]
    case 'value':
      return level.outputs.filter((o) => o.role !== 'dimension' && o.role !== 'grouping')
    case 'rows':
      return shownOf(block, measure.name)
  }
}

/** With the columns that a query chooses. The others stay: they tell rows apart where a row can meet a condition several times. */
function withChosen(beside: readonly NamedExpr[], columns: readonly NamedColumn[], rows: Rows): readonly NamedExpr[] {
  const { graph } = rows.context
  const chosen = columns.map(({ name, type, column }, i): NamedExpr => {
    const path = `columns[${i}]`
    const { object } = rows.root
    if (!graph.reaches(object, column.object))
      fail('NO_JOIN_PATH', `a row of '${object}' has no row of '${column.object}', so it cannot show '${name}'`, {
        path,
        hint: `Choose columns of '${object}' and of the objects that it joins, or ask for the rows of one measure.`,
      })
    return { name, type, expression: within(path, () => readExpression(rows, column)) }
  })
  return [...new Map([...beside, ...chosen].map((column) => [column.name, column])).values()]
}

/** A list of rows that are told apart by all their values has no JSON, which cannot be compared. */
function chosenOf({ beside }: BoundBlock, columns: readonly NamedColumn[]): readonly Output[] {
  const values = new Map(beside.map((column) => [column.name, column]))
  return columns.map(({ name, type }, i) => {
    const { expression } =
      values.get(name) ??
      fail('INVALID_QUERY', `'${name}' is JSON, which these rows cannot show: each is found several times, and listed once`, {
        path: `columns[${i}]`,
        hint: 'Leave it out.',
      })
    return output(name, expression, type, 'field')
  })
}

/** The shown columns of a row: its groups, the columns that the measure reads, and the columns of its object. */
function shownOf({ dimensions, semiAdditive, aggregates, weight, beside }: BoundBlock, measure: string): readonly Output[] {
  const times = (semiAdditive ? semiAdditiveKeys(semiAdditive) : []).filter((d) => !dimensions.some((own) => looksLike(own, d)))
  const args = aggregates.flatMap((a) => a.args)
  const isShown = ({ expression }: TypedExpr): boolean => beside.some((column) => isSame(column.expression, expression))
  return [
    ...[...dimensions, ...times].map((d) => output(d.label, relationColumn('', d.name, d.type), d.type, 'dimension')),
    ...args.flatMap((arg, i) => {
      const name = args.length > 1 ? `${measure} (${i + 1})` : measure
      return isShown(arg) ? [] : [output(name, arg.expression, arg.type, 'measure')]
    }),
    ...(weight ? [output('weight', weight.expression, weight.type, 'field')] : []),
    ...beside.map(({ name, expression, type }) => output(name, expression, type, 'field')),
  ]
}

/** A balance names its keys itself. They can look like dimensions of the query. */
const looksLike = (one: ResolvedDimension, other: ResolvedDimension): boolean =>
  one.label === other.label && isSame(one.grain, other.grain)

const output = (name: string, expression: RowExpr, type: DataType, role: ColumnRole): Output => ({
  name,
  role,
  type,
  expression,
  displayAs: undefined,
  format: undefined,
})

/** The key of the object if it has one, otherwise all sortable columns. */
function tiesOf(outputs: readonly Output[], base: string, { model }: BindContext): readonly Output[] {
  const { key = [] } = model.dataObjects.get(base) ?? {}
  const keys = key.flatMap((name) => outputs.filter((o) => o.role === 'field' && o.name === `${base}.${name}`))
  return keys.length > 0 ? keys : outputs.filter((o) => o.type.kind !== 'json')
}

/** The key, the columns that the measure and the filters read, then all other columns of the object whose rows are counted. */
function besideOf(
  { base, conjuncts, bridgeFilters }: BlockRequest,
  { measure, filters, dimensions, semiAdditive }: ResolvedAggregate,
  rows: Rows,
): NamedExpr[] {
  const { model, graph } = rows.context
  const object = model.dataObjects.get(base)
  const own = (column: string): ColumnRef => ({ kind: 'column', object: base, column })
  const ownColumns = [...(object?.columns.keys() ?? [])].map(own)
  const isShown = ({ column }: ColumnRef): boolean => !isHiddenName(column)
  const isReached = (ref: ColumnRef): boolean => graph.reaches(base, ref.object, undefined)
  const refs = [
    ...(object?.key ?? []).map(own),
    ...measure.inputs.flatMap((input) => leavesOf(input)).filter(isReached),
    ...filters
      .filter((f) => !includesSame(bridgeFilters, f))
      .flatMap(columnsOf)
      .filter(isReached),
    ...ownColumns,
  ]
  const shown = refs.filter(isShown)
  const columns = shown.map((ref): NamedExpr => {
    return { name: `${ref.object}.${ref.column}`, type: columnOf(model, ref).type, expression: readExpression(rows, ref) }
  })
  const fields = conjuncts.flatMap((c) =>
    c.leaves.flatMap((leaf): NamedExpr[] => {
      const [member, ...others] = leaf.kind === 'where-field' ? leaf.members : []
      if (!member || others.length > 0 || !graph.reaches(base, member.object, member.via)) return []
      return [{ name: member.name, type: member.type, expression: readField(rows, member) }]
    }),
  )
  const keys = semiAdditive ? semiAdditiveKeys(semiAdditive) : []
  const labels = new Set([...dimensions, ...keys].map((d) => d.label))
  const others = shown.length - ownColumns.filter(isShown).length
  const all = [...columns.slice(0, others), ...fields, ...columns]
  return [...new Map(all.filter((c) => !labels.has(c.name)).map((c) => [c.name, c])).values()]
}
