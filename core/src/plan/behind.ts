import { fail } from '../errors.js'
import { type DataType, INT } from '../model/data-type.js'
import { type ColumnRef, leavesOf, mapLeaves } from '../model/expression/ast.js'
import { columnsOf } from '../resolve/condition-columns.js'
import { integer } from '../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { type Atom, type BehindQuery, columnOf, type Output } from '../resolve/resolved-query.js'
import type { ColumnRole } from '../result/record-batch.js'
import { atTakenTime, balanceKeys, takenAndSummed } from './balance.js'
import { type BlockRows, inTimes, planBlockRows } from './block.js'
import type { BlockRequest } from './block-request.js'
import { blockRequests } from './block-requests.js'
import type { FilterReport } from './filter-report.js'
import { type LogicalPlan, type NamedAggregate, type NamedExpr, plainAggregate, sameColumn } from './logical-plan.js'
import { displayed, type Planned } from './planned.js'
import type { Rows } from './rows.js'
import type { RowsContext } from './rows-context.js'

/**
 * The rows that a measure's value in a cell was aggregated from: those of the block that the question itself reads, before they are
 * aggregated, and only those of the cell's groups. `value` aggregates exactly these rows again.
 */
export function planBehind(query: BehindQuery, context: RowsContext, report: FilterReport): Planned {
  const { level, cell, shows } = query
  // What reaches none of these rows restricts other measures of the question.
  for (const conjunct of query.where) report.applied(conjunct)
  const [found] = blockRequests(level, report)
  const atom = found?.request.atoms[0]
  if (!found || !atom || level.atoms.length > 1 || level.steps.length > 0) return refuseComputed()
  const { request } = found
  const { balance } = request
  const asked = balance ? inTimes(request, balance) : request
  const rows = planBlockRows(asked, context, {
    only: cell.flatMap(({ dimension, condition }) => (request.dimensions.includes(dimension) ? [condition] : [])),
    beside: (home, distinct) =>
      shows === 'rows' ? besideOf(request, atom, home).filter((c) => !distinct || c.type.kind !== 'json') : [EACH],
  })
  const counted = countedRows(rows, request, context)
  switch (shows) {
    case 'count':
      return made(oneRow(counted, [plainAggregate('rows', 'count', [], INT)], context), [ROWS], request)
    case 'value':
      return made(
        aggregated(rows, counted, request, context),
        level.outputs.filter((o) => o.role !== 'dimension'),
        request,
      )
    case 'rows':
      return shownRows(query, { rows, counted, request, atom }, context)
  }
}

/** Rows of which nothing is read are rows all the same. */
const EACH: NamedExpr = { name: 'each', type: INT, expression: integer(1) }

const refuseComputed = (): never =>
  fail('NO_ROWS_BEHIND', 'The value is computed from other values, and has no rows of its own', {
    path: 'measure',
  })

const ROWS: Output = {
  name: 'rows',
  role: 'field',
  type: INT,
  expression: relationColumn('', 'rows', INT),
  displayAs: undefined,
  format: undefined,
}

const made = (input: LogicalPlan, outputs: readonly Output[], { home }: BlockRequest): Planned => ({
  plan: { kind: 'project', input, alias: 'answer', columns: displayed(outputs, (expression) => expression) },
  columns: outputs,
  homes: [home],
})

/** The rows whose values the number is made of: of a balance, those of the time that is taken of each entity. */
function countedRows(rows: BlockRows, { balance }: BlockRequest, context: RowsContext): LogicalPlan {
  if (balance?.take !== 'first' && balance?.take !== 'last') return rows.plan
  const { time, per, take } = balance
  const groups = rows.columns.filter((c) => per.some((d) => d.name === c.name))
  const columns = rows.columns.map((c) => sameColumn(c))
  return atTakenTime({ input: rows.plan, columns }, { time, take, per: groups, by: 'rank' }, context)
}

const oneRow = (input: LogicalPlan, aggregates: readonly NamedAggregate[], { aliases }: RowsContext): LogicalPlan => ({
  kind: 'aggregate',
  input,
  alias: aliases.derived('cell'),
  keys: [],
  aggregates,
  reason: 'the rows of the cell together',
})

/** The rows, aggregated as the measure says. */
function aggregated(rows: BlockRows, counted: LogicalPlan, request: BlockRequest, context: RowsContext): LogicalPlan {
  const aggregates = rows.aggregates.map((a) => ofOneRelation(a))
  const { balance } = request
  if (!balance) return oneRow(counted, aggregates, context)
  const keys = [...request.dimensions, ...balanceKeys(balance)].map((d) => sameColumn(d))
  const reason = 'each entity in each time'
  const inner: LogicalPlan = {
    kind: 'aggregate',
    input: counted,
    alias: context.aliases.derived('cell_times'),
    keys,
    aggregates,
    reason,
  }
  return takenAndSummed(inner, request.dimensions, { ...request, balance }, context.aliases.derived('cell'), context)
}

/** Read from whatever stands below under one name. */
function ofOneRelation(aggregate: NamedAggregate): NamedAggregate {
  return {
    ...aggregate,
    args: aggregate.args.map(unnamed),
    orderBy: aggregate.orderBy.map((key) => ({ ...key, expression: unnamed(key.expression) })),
  }
}

const unnamed = (expression: RowExpr): RowExpr =>
  mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) => relationColumn('', leaf.name, leaf.type))

interface Behind {
  readonly rows: BlockRows
  readonly counted: LogicalPlan
  readonly request: BlockRequest
  readonly atom: Atom
}

/** What of a row is shown: its groups, what the measure reads of it, and the columns of its object. By its key, where it has one. */
function shownRows(query: BehindQuery, { rows, counted, request, atom }: Behind, { model }: RowsContext): Planned {
  const { key = [] } = model.dataObjects.get(request.home) ?? {}
  const beside = rows.beside.map(({ name, type, expression }) => output(name, type, unnamed(expression), 'field'))
  const known = new Set(rows.beside.map(({ expression }) => nameOf(expression)))
  const inputs = rows.inputs.flatMap((input, i) => {
    const column = input as RelationColumn
    const name = rows.inputs.length > 1 ? `${atom.measure.name} (${i + 1})` : atom.measure.name
    return known.has(nameOf(input)) || column.kind !== 'column' ? [] : [output(name, column.type, unnamed(column), 'measure')]
  })
  const weight = rows.weight as RelationColumn | undefined
  const groups = request.dimensions.map((d) => output(d.label, d.type, relationColumn('', d.name, d.type), 'dimension'))
  const times = request.balance
    ? balanceKeys(request.balance)
        .filter((d) => !request.dimensions.some((own) => own.name === d.name))
        .map((d) => output(d.label, d.type, relationColumn('', d.name, d.type), 'dimension'))
    : []
  const outputs = [
    ...groups,
    ...times,
    ...inputs,
    ...(weight ? [output('weight', weight.type, unnamed(weight), 'field')] : []),
    ...beside,
  ]
  const keys = key.flatMap((name) => beside.filter((o) => o.name === `${request.home}.${name}`))
  const ties = keys.length > 0 ? keys : outputs.filter((o) => o.type.kind !== 'json')
  const sortKeys = ties.map(({ expression, type }) => ({ expression, type, descending: false, nullsFirst: false }))
  const paged = query.limit !== undefined || query.offset !== undefined
  return made(paged ? { kind: 'sort', input: counted, keys: sortKeys } : counted, outputs, request)
}

const nameOf = (expression: RowExpr): string => (expression as RelationColumn).name

const output = (name: string, type: DataType, expression: RowExpr, role: ColumnRole): Output => ({
  name,
  role,
  type,
  expression,
  displayAs: undefined,
  format: undefined,
})

/** The key, what the measure and the filters read, then every other column of the object whose rows are counted. */
function besideOf(
  { home, conjuncts, bridgeFilters }: BlockRequest,
  { measure, filters, dimensions }: Atom,
  rows: Rows,
): NamedExpr[] {
  const { model, graph } = rows.context
  const object = model.dataObjects.get(home)
  const own = (column: string): ColumnRef => ({ kind: 'column', object: home, column })
  const reached = (ref: ColumnRef): boolean => graph.reaches(home, ref.object, undefined)
  const refs = [
    ...(object?.key ?? []).map(own),
    ...measure.inputs.flatMap((input) => leavesOf(input)).filter(reached),
    ...filters
      .filter((f) => !bridgeFilters.includes(f))
      .flatMap(columnsOf)
      .filter(reached),
    ...[...(object?.columns.keys() ?? [])].map(own),
  ]
  const columns = refs.map((ref): NamedExpr => {
    return { name: `${ref.object}.${ref.column}`, type: columnOf(model, ref).type, expression: rows.expression(ref) }
  })
  const fields = conjuncts.flatMap((c) =>
    c.leaves.flatMap((leaf): NamedExpr[] => {
      const [member, ...others] = leaf.kind === 'where-field' ? leaf.members : []
      if (!member || others.length > 0 || !graph.reaches(home, member.object, member.via)) return []
      return [{ name: member.name, type: member.type, expression: rows.value(member) }]
    }),
  )
  const labels = new Set(dimensions.map((d) => d.label))
  const all = [...columns.slice(0, columns.length - (object?.columns.size ?? 0)), ...fields, ...columns]
  return [...new Map(all.filter((c) => !labels.has(c.name)).map((c) => [c.name, c])).values()]
}
