import { fail, within } from '../errors.js'
import { type DataType, FLOAT, INT } from '../model/data-type.js'
import { type ColumnRef, mapLeaves } from '../model/expression/ast.js'
import { typeOf } from '../model/expression/type-of.js'
import { inputType, sumAt } from '../resolve/aggregate-type.js'
import { bucket } from '../resolve/bucket.js'
import { allOf, anyOf, binary, integer, isNotNull, isNull } from '../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { type Atom, type Balance, columnOf, objectOf, type ResolvedDimension } from '../resolve/resolved-query.js'
import { acrossLegs, acrossRows } from './across.js'
import { balanceKeys, perTime, takenAndSummed } from './balance.js'
import type { BlockRequest } from './block-request.js'
import { Connections, type ConnectionWeight } from './connections.js'
import { converts } from './conversion.js'
import { type Condition, filtered } from './filtered.js'
import {
  type Aggregate,
  type LogicalPlan,
  type NamedAggregate,
  type NamedExpr,
  plainAggregate,
  type SortKey,
  sameColumn,
} from './logical-plan.js'
import type { Rows } from './rows.js'
import type { RowsContext } from './rows-context.js'

/**
 * One scan of the home, its forward joins, its filters, one aggregation. A block reads no fact but its own, so nothing that stands
 * beside it in a query can change its values.
 */
export function planBlock(request: BlockRequest, context: RowsContext, alias: string): LogicalPlan {
  const { balance } = request
  if (balance) {
    const inner = planBlock(inTimes(request, balance), context, context.aliases.derived(request.home, '_times'))
    return takenAndSummed(inner, request.dimensions, { ...request, balance }, alias, context)
  }
  return planOver(request, connectionsOf(request, context), alias)
}

/** The rows of a block: those of the home with its connections, or those at which several facts meet. */
function connectionsOf(
  { home, atoms, dimensions, bridges, apart, across, fanOut, weights = [] }: BlockRequest,
  context: RowsContext,
): Connections {
  const asking = atoms[0]?.path ?? dimensions[0]?.path ?? ''
  return within(asking, () => {
    const legs = across && acrossLegs(across, context, planBlock)
    const facts = across && acrossRows(across, home, across.dimensions, legs!, context)
    return new Connections(context, home, bridges, apart, { across: facts, fanOut, weights })
  })
}

/** A block over rows that are known. */
export function planOver(request: BlockRequest, connections: Connections, alias: string): Aggregate {
  const { atoms, dimensions } = request
  const { context } = connections
  const keys = dimensions.map((d) => within(d.path, () => dimensionKey(d, connections, context)))
  const inputs = atoms.map((atom) => within(atom.path, () => atomInputs(atom, request, connections)))
  const conditions = blockConditions(request, inputs, connections)
  if (isEachOnce(request, connections)) {
    const weight = connections.weight()
    const input = filtered(connections.plan(), conditions)
    const aggregates = inputs.map((i) =>
      namedAggregate(i, conditions.some((c) => c.expression === i.filter) ? undefined : i.filter, weight),
    )
    return { kind: 'aggregate', input, alias, keys, aggregates, reason: blockReason(request) }
  }
  return atoms.length === 0
    ? {
        kind: 'aggregate',
        input: filtered(connections.plan(), conditions),
        alias,
        keys,
        aggregates: [],
        reason: 'the tuples that occur',
      }
    : countedOnce(request, connections, keys, inputs, conditions, alias)
}

/** Whether the rows of the joins are what is counted: nothing multiplies them, or each of them brings its part. */
function isEachOnce(request: BlockRequest, connections: Connections): boolean {
  if (!connections.multiplies || request.fanOut) return true
  if (request.bridges.size > 1 || (request.weights ?? []).length === 0) return false
  if (objectOf(connections.context.model, request.home).key.length === 0) refuseKeyless(request)
  return true
}

/** The block of a balance before anything is taken: grouped by time and entity, too. */
export const inTimes = (request: BlockRequest, balance: Balance): BlockRequest => ({
  ...request,
  atoms: perTime(request.atoms, balance),
  dimensions: [...request.dimensions, ...balanceKeys(balance)],
  balance: undefined,
})

interface AtomInputs {
  readonly atom: Atom
  readonly args: readonly RowExpr[]
  readonly orderBy: readonly SortKey[]
  readonly filter: RowExpr | undefined
}

export function dimensionKey(dimension: ResolvedDimension, connections: Connections, context: RowsContext): NamedExpr {
  const { name, type, members, expression, grain, path } = dimension
  const brought = connections.broughtByFacts(dimension)
  if (brought) return { name, type, expression: brought }
  const value = expression ? connections.where(expression, path) : connections.field(members, path)
  return { name, type, expression: grain ? bucket(value, members[0]!.type, grain, context.time) : value }
}

function atomInputs(atom: Atom, request: BlockRequest, connections: Connections): AtomInputs {
  const { measure } = atom
  const { home } = connections
  const own = request.across ? [] : atom.filters.filter((f) => !request.bridgeFilters.includes(f))
  const sums = (ref: ColumnRef): RowExpr | undefined => {
    const sum = sumAt(atom.across, ref)
    return sum && relationColumn('', sum.name, sum.type)
  }
  const sortKey = ({ column, descending }: { column: ColumnRef; descending: boolean }): SortKey => ({
    expression: sums(column) ?? home.expression(column),
    type: inputType(column, connections.context.model, atom.across),
    descending,
    nullsFirst: false,
  })
  const args = measure.inputs.map((input) => home.expression(input, sums))
  const orderBy = [...(measure.withinGroup ? [sortKey(measure.withinGroup)] : []), ...measure.orderBy.map(sortKey)]
  const conversion = conversionFilter(atom, request, connections)
  return {
    atom,
    ...(PICKS.has(measure.aggregation) ? picked(atom, args, orderBy, connections) : { args, orderBy }),
    filter: allOf([...own.map((f) => home.condition(f, (ref) => home.expression(ref))), ...(conversion ? [conversion] : [])]),
  }
}

/** Aggregates that take the value of one row. */
const PICKS: ReadonlySet<string> = new Set(['first', 'last'])

/** A row without a place in the order has no value to be taken; of several in one place, the key decides. */
function picked(
  { measure, path }: Atom,
  args: readonly RowExpr[],
  orderBy: readonly SortKey[],
  { home, context: { model, functions } }: Connections,
): Pick<AtomInputs, 'args' | 'orderBy'> {
  const ascending = (expression: RowExpr, type: DataType): SortKey => ({ expression, type, descending: false, nullsFirst: false })
  const { key } = objectOf(model, home.root.object)
  if (key.length === 0 && orderBy.length === 0) {
    fail(
      'INVALID_AGGREGATION_INPUTS',
      `'${measure.name}' takes the ${measure.aggregation} row, and nothing orders the rows of '${home.root.object}'; give the measure an orderBy, or the object a primaryKey`,
      { path },
    )
  }
  const typeAt = (ref: ColumnRef): DataType => columnOf(model, ref).type
  const keys = key.map((column) =>
    ascending(home.column(home.root, column), typeAt({ kind: 'column', object: home.root.object, column })),
  )
  const isKey = ({ expression }: SortKey): boolean => keys.some((k) => k.expression === expression)
  const value = args[0]!
  const ties = keys.length > 0 ? keys : [ascending(value, typeOf(measure.inputs[0]!, typeAt, functions))]
  const placed = allOf(orderBy.filter((o) => !isKey(o)).map((o) => isNotNull(o.expression)))
  const rest = ties.filter((tie) => !orderBy.some((o) => o.expression === tie.expression))
  return { args: [onlyWhere(placed, value)], orderBy: [...orderBy, ...rest] }
}

function conversionFilter(atom: Atom, { conversions }: BlockRequest, { home, context }: Connections): RowExpr | undefined {
  const events = conversions?.get(atom)
  if (!events || !atom.converts) return undefined
  const rows = (request: BlockRequest) => {
    const alias = context.aliases.derived(request.home, '_events')
    return { alias, plan: planBlock(request, context, alias) }
  }
  return converts(home, atom.converts, { base: rows(events.base), conversion: rows(events.conversion) }, context)
}

/** Where facts meet, the row of those that have none to meet at is kept. */
function conditionsOfHome(home: Rows, across: boolean): Condition[] {
  const { presence } = home.root
  const nobodys = across && presence ? [isNull<RelationColumn>(presence)] : []
  const kept = (expression: RowExpr): RowExpr => (nobodys.length > 0 ? anyOf([...nobodys, expression]) : expression)
  return [
    ...home.requiredConditions().map((expression) => ({ expression, reason: 'a required join drops rows without a match' })),
    ...home.staticConditions().map((c) => ({ expression: kept(c), reason: 'static filter of the model' })),
  ]
}

function blockConditions(request: BlockRequest, inputs: readonly AtomInputs[], connections: Connections): Condition[] {
  const { home } = connections
  const bridgeRead = (ref: ColumnRef): RowExpr => connections.column(ref, '')
  const conditions: Condition[] = [
    ...conditionsOfHome(home, request.across !== undefined),
    ...request.conjuncts.map((c) => ({
      expression: within(c.path, () => connections.where(c.expression, c.path)),
      reason: `where on ${c.fields.map((f) => `'${f}'`).join(', ')}`,
    })),
    ...request.bridgeFilters.map((f) => ({
      expression: home.condition(f, bridgeRead),
      reason: 'the measure’s own filter, on the same connection',
    })),
  ]
  const narrowing = rowsOfAnyMeasure(inputs)
  if (narrowing) conditions.push({ expression: narrowing, reason: 'the measures’ own filters' })
  return conditions
}

/** Where every measure of the block is filtered, only rows that one of them counts make groups. */
function rowsOfAnyMeasure(inputs: readonly AtomInputs[]): RowExpr | undefined {
  const filters = inputs.map((i) => i.filter)
  if (filters.length === 0 || filters.some((f) => f === undefined)) return undefined
  return filters.length === 1 ? filters[0] : anyOf(filters as RowExpr[])
}

/** The rows of a block before they are aggregated, each with its groups and what the measures read. */
export interface BlockRows {
  readonly plan: LogicalPlan
  readonly alias: string
  /** Every column, in order: the dimensions, then the home key where a row that is measured could repeat, then the inputs. */
  readonly columns: readonly NamedExpr[]
  readonly aggregates: readonly NamedAggregate[]
  /** A home row stands once per group, told apart by its key. */
  readonly distinct: boolean
  /** What the measures read of a row, as columns of these. */
  readonly inputs: readonly RowExpr[]
  /** What a row brings of the whole, where connections bring parts. */
  readonly weight: RowExpr | undefined
  /** Further columns, as they were asked for. */
  readonly beside: readonly NamedExpr[]
}

/** What somebody who looks at the rows of a block wants of them. */
export interface RowsWanted {
  /** Conditions over the columns of its dimensions. */
  readonly only: readonly RowExpr[]
  /** Further columns of each row; `distinct` where equal rows are made one. */
  readonly beside: (home: Rows, distinct: boolean) => readonly NamedExpr[]
}

const EVERY_ROW: RowsWanted = { only: [], beside: () => [] }

/** The rows of a block for a step that groups them otherwise. */
export function planBlockRows(request: BlockRequest, context: RowsContext, wanted = EVERY_ROW): BlockRows {
  const connections = connectionsOf(request, context)
  const keys = request.dimensions.map((d) => within(d.path, () => dimensionKey(d, connections, context)))
  const inputs = request.atoms.map((atom) => within(atom.path, () => atomInputs(atom, request, connections)))
  const ofKeys = (condition: RowExpr): RowExpr =>
    mapLeaves<RelationColumn, RelationColumn>(condition, (leaf) => keys.find((k) => k.name === leaf.name)?.expression ?? leaf)
  const only = wanted.only.map((condition) => ({ expression: ofKeys(condition), reason: 'the cell that is looked into' }))
  const conditions = [...blockConditions(request, inputs, connections), ...only]
  return blockRows(request, connections, { keys, inputs, conditions, beside: wanted.beside })
}

/** Each home row once per group: distinct (group, home key) pairs carry the measure's inputs, and are then aggregated. */
function countedOnce(
  request: BlockRequest,
  connections: Connections,
  keys: readonly NamedExpr[],
  inputs: readonly AtomInputs[],
  conditions: readonly Condition[],
  alias: string,
): Aggregate {
  const rows = blockRows(request, connections, { keys, inputs, conditions, beside: EVERY_ROW.beside })
  return {
    kind: 'aggregate',
    input: rows.plan,
    alias,
    keys: keys.map((k) => sameColumn(k, rows.alias)),
    aggregates: rows.aggregates,
    reason: blockReason(request),
  }
}

interface RowParts {
  readonly keys: readonly NamedExpr[]
  readonly inputs: readonly AtomInputs[]
  readonly conditions: readonly Condition[]
  readonly beside: RowsWanted['beside']
}

function blockRows(
  request: BlockRequest,
  connections: Connections,
  { keys, inputs, conditions, beside: wanted }: RowParts,
): BlockRows {
  const { context, home } = connections
  const distinct = !isEachOnce(request, connections)
  const alias = context.aliases.derived(request.home, distinct ? '_once' : '_rows')
  const columns: NamedExpr[] = [...keys]
  const carry = (name: string, expression: RowExpr, type: DataType): RowExpr => {
    const known = columns.slice(keys.length).find((c) => c.expression === expression)
    if (!known) columns.push({ name, expression, type })
    return relationColumn(alias, known?.name ?? name, type)
  }
  if (distinct && inputs.length > 0) carryKey(request, home, carry)
  const alone = inputs.length === 1
  let n = 0
  const carried = inputs.map((input): AtomInputs => {
    const filter = alone ? undefined : input.filter
    const types = inputTypes(input.atom, connections)
    const bare = input.args.length > 0 ? input.args : filter ? [integer(1)] : []
    const args = bare.map((arg, i) => carry(`value_${++n}`, i === 0 ? onlyWhere(filter, arg) : arg, types[i] ?? INT))
    const orderBy = input.orderBy.map((key) => ({ ...key, expression: carry(`order_${++n}`, key.expression, key.type) }))
    return { ...input, args, orderBy, filter: undefined }
  })
  const beside = wanted(home, distinct).map((column, i) => ({
    ...column,
    expression: carry(`field_${i + 1}`, column.expression, column.type),
  }))
  const weight = carriedWeight(connections, carry)
  const input = filtered(connections.plan(), conditions)
  const reason = `each row of '${request.home}' once in each group it stands in`
  return {
    plan: distinct
      ? { kind: 'distinct', input, alias, columns, reason }
      : { kind: 'project', input, alias, columns, stage: true },
    alias,
    columns,
    aggregates: carried.map((c) => namedAggregate(c, undefined, weight)),
    distinct,
    inputs: carried.flatMap((c) => c.args),
    weight: weight?.value,
    beside,
  }
}

type Carry = (name: string, expression: RowExpr, type: DataType) => RowExpr

/** The weight of each row, with what tells its connections apart. */
function carriedWeight(connections: Connections, carry: Carry): ConnectionWeight | undefined {
  const weight = connections.weight()
  if (!weight) return undefined
  for (const [i, column] of weight.apart.entries()) carry(`connection_${i + 1}`, column, column.type)
  return { ...weight, value: carry(connections.context.aliases.column('weight'), weight.value, weight.type), apart: [] }
}

function carryKey(request: BlockRequest, home: Rows, carry: Carry): void {
  const object = objectOf(home.context.model, request.home)
  if (object.key.length === 0) refuseKeyless(request)
  for (const [i, name] of object.key.entries()) {
    const { type } = columnOf(home.context.model, { kind: 'column', object: object.name, column: name })
    carry(`key_${i + 1}`, home.column(home.root, name), type)
  }
}

function inputTypes({ measure, across }: Atom, { context: { model, functions } }: Connections): DataType[] {
  return measure.inputs.map((input) => typeOf(input, (ref: ColumnRef) => inputType(ref, model, across), functions))
}

const onlyWhere = (filter: RowExpr | undefined, value: RowExpr): RowExpr =>
  filter ? { kind: 'case', branches: [{ when: filter, then: value }], otherwise: undefined } : value

function namedAggregate(
  { atom, args, orderBy }: AtomInputs,
  filter: RowExpr | undefined,
  weight?: ConnectionWeight,
): NamedAggregate {
  const { measure, name, type } = atom
  if (weight) return weightedAggregate(atom, args, filter, weight.value)
  const distinct = measure.distinct || measure.aggregation === 'count_distinct'
  const aggregate = measure.aggregation === 'count' && measure.distinct ? 'count_distinct' : measure.aggregation
  const { percentile, delimiter } = measure
  return { name, aggregate, args, distinct, orderBy, percentile, delimiter, filter, type }
}

/** A row whose weight is NULL brings nothing. */
function weightedAggregate(
  { measure: { aggregation }, name, type }: Atom,
  args: readonly RowExpr[],
  filter: RowExpr | undefined,
  weight: RowExpr,
): NamedAggregate {
  const [value] = args
  const where = (condition: RowExpr | undefined, e: RowExpr): RowExpr =>
    onlyWhere(allOf([filter, condition].filter((c) => c !== undefined)), e)
  switch (aggregation) {
    case 'sum':
      return plainAggregate(name, 'sum', [where(undefined, binary('*', value!, weight))], type)
    case 'avg': {
      const double = (operand: RowExpr): RowExpr => ({ kind: 'cast', operand, type: FLOAT })
      const parts = [where(undefined, double(binary('*', value!, weight))), where(isNotNull(value!), double(weight))]
      return plainAggregate(name, 'weighted_avg', parts, type)
    }
    case 'count_if':
      return plainAggregate(name, 'weighted_count', [where(value, weight)], type)
    default:
      return plainAggregate(name, 'weighted_count', [where(value && isNotNull(value), weight)], type)
  }
}

function refuseKeyless({ home, atoms, dimensions, conjuncts }: BlockRequest): never {
  const { measure, path } = atoms[0]!
  const through =
    dimensions.length > 0
      ? `'${dimensions[0]!.label}'`
      : `a filter on ${conjuncts
          .flatMap((c) => c.fields)
          .map((f) => `'${f}'`)
          .join(', ')}`
  return fail(
    'KEY_REQUIRED',
    `'${measure.name}' is cut by ${through}, of which a row of '${home}' can have several; mark the key of '${home}' with primaryKey, so that each row counts once`,
    { path, context: { dataObject: home } },
  )
}

function blockReason({ home, atoms }: BlockRequest): string {
  if (atoms.length === 0) return `the tuples at '${home}'`
  return `${atoms.map((a) => `'${a.measure.name}'`).join(', ')} at the rows of '${home}'`
}
