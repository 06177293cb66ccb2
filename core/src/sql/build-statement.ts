import { entryOf } from '../invariant.js'
import { type DataType, decimal, FLOAT, INT, MAX_PRECISION } from '../model/data-type.js'
import type {
  Aggregate,
  Chosen,
  Combine,
  Distinct,
  Filter,
  Join,
  Leg,
  Limit,
  LogicalPlan,
  Lookup,
  Measured,
  NamedAggregate,
  NamedExpr,
  NamedWindow,
  Numbers,
  Pairs,
  Project,
  Shared,
  Sort,
  Union,
  Window,
} from '../plan/logical-plan.js'
import {
  allOf,
  binary,
  call,
  coalesce,
  integer,
  isNotNull,
  onlyWhere,
  sameOrBothNull,
  TRUE,
  typedNull,
} from '../resolve/expressions.js'
import { type RelationColumn, relationColumn } from '../resolve/relation-column.js'
import { conditionOf } from '../resolve/row-terms.js'
import { isSame } from '../same.js'
import {
  aliasOf,
  before,
  type Columns,
  columnsUnder,
  type Draft,
  derived,
  finish,
  openToCounts,
  openToKeys,
  orderItem,
  read,
  rowsOf,
  type Stage,
  stillOneRow,
} from './draft.js'
import { encodedType, encodeForUnion, onlyOne } from './encode-for-union.js'
import { foundValue, joinLegs } from './join-legs.js'
import { pairsOf } from './pairs-of.js'
import {
  aggregate,
  type From,
  type Query,
  type Select,
  type SelectItem,
  type SqlExpr,
  type SqlLeaf,
  type Statement,
  select,
} from './statement.js'

/**
 * The statement of a plan. Nodes that one SELECT can express become one SELECT; the others become common table expressions if they are
 * facts, and derived tables if they are parts of one.
 */
export function buildStatement(plan: LogicalPlan): Statement {
  const builder = new Builder()
  const body = finish(builder.build(plan))
  return { kind: 'statement', ctes: builder.ctes, body }
}

class Builder {
  readonly ctes: { name: string; query: Query }[] = []
  /** The name of the table of values that are chosen for the whole statement. */
  #topTable = ''
  /** The names of the tables of measures that are columns. */
  readonly #measureTables = new Map<string, string>()
  /** The names of the tables of pairs of closures. */
  readonly #pairTables = new Map<string, string>()

  build(plan: LogicalPlan): Draft {
    switch (plan.kind) {
      case 'scan':
        if (plan.source.kind === 'closure')
          return rowsOf({ kind: 'cte', name: entryOf(this.#pairTables, plan.object), alias: plan.alias })
        return rowsOf({
          kind: 'table',
          source: plan.source,
          alias: plan.alias,
          ...(plan.elements && { elements: plan.elements }),
        })
      case 'join':
        return this.#join(plan)
      case 'filter':
        return this.#filter(plan)
      case 'project':
        return this.#project(plan)
      case 'distinct':
        return this.#distinct(plan)
      case 'aggregate':
        return this.#aggregate(plan)
      case 'combine':
        return this.#combine(plan)
      case 'sort':
        return this.#sort(plan)
      case 'limit':
        return this.#limit(plan)
      case 'union':
        return this.#union(plan)
      case 'shared':
        return this.#shared(plan)
      case 'chosen':
        return this.#chosen(plan)
      case 'top-values':
        return rowsOf({ kind: 'cte', name: this.#topTable, alias: plan.alias })
      case 'measured':
        return this.#withMeasured(plan)
      case 'pairs':
        return this.#withPairs(plan)
      case 'measured-rows':
        return rowsOf({ kind: 'cte', name: entryOf(this.#measureTables, plan.of), alias: plan.alias })
      case 'lookup':
        return this.#lookup(plan)
      case 'window':
        return this.#window(plan)
      case 'numbers':
        return this.#numbers(plan)
    }
  }

  #join({ left, right, type, on, nearest }: Join): Draft {
    const l = this.#source(left)
    const r = this.#source(right)
    const columns = r.columns.size === 0 ? l.columns : new Map([...l.columns, ...r.columns])
    const condition = conditionOf(on)
    const from: From = {
      kind: 'join',
      type,
      left: l.from,
      right: r.from,
      on: condition && read(condition, columns),
      ...(nearest && { nearest }),
    }
    return { ...rowsOf(from), columns }
  }

  /** A plan as something to select from: a table, a join, or a derived table under the plan's own alias. */
  #source(plan: LogicalPlan): { readonly from: From; readonly columns: ReadonlyMap<string, SqlExpr> } {
    const draft = this.build(plan)
    if (draft.stage === 'rows' && draft.select.where.length === 0) return { from: draft.select.from, columns: draft.columns }
    const alias = aliasOf(plan)
    if (plan.kind === 'aggregate') {
      this.ctes.push({ name: alias, query: finish(draft) })
      return { from: { kind: 'cte', name: alias, alias }, columns: columnsUnder(alias, draft) }
    }
    return { from: { kind: 'subquery', query: finish(draft), alias }, columns: columnsUnder(alias, draft) }
  }

  #filter({ input, condition }: Filter): Draft {
    const draft = this.#upTo(input, 'projected')
    const { select } = draft
    const expression = read(condition, draft.columns)
    if (draft.stage === 'rows') return { ...draft, select: { ...select, where: [...select.where, expression] } }
    return { ...draft, select: { ...select, having: [...select.having, expression] } }
  }

  #project({ input, columns, stage }: Project): Draft {
    const draft = stillOneRow(
      this.#open(input, 'closed'),
      columns.map((c) => c.expression),
      input,
    )
    const items = columns.map((c): SelectItem => ({ alias: c.name, type: c.type, expression: read(c.expression, draft.columns) }))
    const select = { ...draft.select, items }
    const known = new Map(items.map((item) => [item.alias, item.expression]))
    return { select, columns: known, stage: stage ? 'closed' : before(draft.stage, 'projected') ? 'projected' : draft.stage }
  }

  #distinct({ input, columns }: Distinct): Draft {
    const draft = this.#upTo(input, 'grouped')
    const items = columns.map((c): SelectItem => ({ alias: c.name, type: c.type, expression: read(c.expression, draft.columns) }))
    return {
      select: { ...draft.select, items, distinct: true },
      columns: new Map(items.map((i) => [i.alias, i.expression])),
      stage: 'closed',
    }
  }

  #aggregate({ input, keys, aggregates, onlyWithRows, sets }: Aggregate): Draft {
    const draft = grouped(this.#upTo(input, 'grouped'), keys, aggregates)
    if (sets) return { ...draft, select: { ...draft.select, sets: sets.map((names) => placesOf(names, keys)) } }
    if (!onlyWithRows) return draft
    const { oneRow: _maybeNone, ...rest } = draft
    const having = [binary<SqlLeaf>('>', aggregate('count', [], INT), integer(0))]
    return { ...rest, select: { ...draft.select, having } }
  }

  #combine(plan: Combine): Draft {
    return plan.making ? this.#joined(plan.making, plan) : this.#united(plan)
  }

  #joined(places: readonly number[], { keys, legs }: Combine): Draft {
    for (const leg of legs) this.ctes.push({ name: leg.name, query: finish(this.build(leg.input)) })
    const making = places.flatMap((place) => legs[place] ?? [])
    const { from, columns } = joinLegs(
      making,
      legs.filter((leg) => !making.includes(leg)),
      keys,
    )
    return { ...rowsOf(from), columns }
  }

  #united(plan: Combine): Draft {
    const values = plan.legs.flatMap((leg) => leg.values)
    const flag = plan.legs.some((leg) => !leg.contributesRows) ? freeName('present', plan) : undefined
    const parts = plan.legs.map((leg): Select => this.#legRows(leg, plan, flag))
    const rows = rowsOf({ kind: 'subquery', query: { kind: 'union-all', parts }, alias: plan.alias })
    const column = (name: string, type: DataType): RelationColumn => relationColumn(plan.alias, name, type)
    const keys = plan.keys.map((k): SelectItem => ({ alias: k.name, type: k.type, expression: column(k.name, k.type) }))
    const measures = values.map(
      (value): SelectItem => ({ alias: value.name, type: value.type, expression: onlyValue(value, column) }),
    )
    const items = [...keys, ...measures]
    const present: SqlExpr[] = flag ? [binary('=', aggregate('max', [column(flag, INT)], INT), integer(1))] : []
    const select: Select = { ...rows.select, items, groupBy: keys.map((k) => k.expression), having: present }
    return { select, columns: new Map(items.map((i) => [i.alias, i.expression])), stage: 'grouped' }
  }

  /** The rows of one fact in the union: its own values, and typed NULLs for the others. */
  #legRows(leg: Leg, plan: Combine, present: string | undefined): Select {
    // A fact that others read, too, is a separate table already.
    if (leg.input.kind === 'shared') this.#shared(leg.input)
    else this.ctes.push({ name: leg.name, query: finish(this.build(leg.input)) })
    const rows = rowsOf({ kind: 'cte', name: leg.name, alias: leg.name })
    const own = new Map(leg.values.map((v) => [v.name, v]))
    const items: SelectItem[] = [
      ...plan.keys.map((k) => ({ alias: k.name, type: k.type, expression: relationColumn(leg.name, k.name, k.type) })),
      ...plan.legs.flatMap((other) =>
        other.values.map((value) => ({
          alias: value.name,
          type: value.type,
          expression:
            own.has(value.name) && other === leg
              ? encodeForUnion(relationColumn(leg.name, value.name, value.type), value.type)
              : emptyValue(value.type),
        })),
      ),
      ...(present ? [{ alias: present, type: INT, expression: leg.contributesRows ? integer(1) : emptyValue(INT) }] : []),
    ]
    return { ...rows.select, items }
  }

  #union({ inputs, columns, alias }: Union): Draft {
    const parts = inputs.map((input) => finish(this.build(input)))
    const rows = rowsOf({ kind: 'subquery', query: { kind: 'union-all', parts }, alias })
    return { ...rows, columns: new Map(columns.map((c) => [c.name, relationColumn(alias, c.name, c.type)])) }
  }

  #shared({ alias, input, columns }: Shared): Draft {
    if (!this.ctes.some((cte) => cte.name === alias)) {
      const draft = this.build(input)
      const items = columns.map(
        (c): SelectItem => ({ alias: c.name, type: c.type, expression: read(relationColumn('', c.name, c.type), draft.columns) }),
      )
      this.ctes.push({ name: alias, query: finish({ ...draft, select: { ...draft.select, items } }) })
    }
    const rows = rowsOf({ kind: 'cte', name: alias, alias })
    return { ...rows, columns: new Map(columns.map((c) => [c.name, relationColumn(alias, c.name, c.type)])) }
  }

  #chosen({ name, values, input }: Chosen): Draft {
    this.ctes.push({ name, query: finish(this.build(values)) })
    this.#topTable = name
    return this.build(input)
  }

  #withMeasured({ of, name, values, input }: Measured): Draft {
    this.ctes.push({ name, query: finish(this.build(values)) })
    this.#measureTables.set(of, name)
    return this.build(input)
  }

  #withPairs(plan: Pairs): Draft {
    this.ctes.push({ name: aliasOf(plan.nodes), query: finish(this.build(plan.nodes)) })
    const { ctes, name } = pairsOf(plan, aliasOf(plan.nodes))
    this.ctes.push(...ctes)
    this.#pairTables.set(plan.object, name)
    return this.build(plan.input)
  }

  /** The row set is on the left, so that no row is lost, unless it is to be; keys are equal or both NULL, in a form that engines can hash. */
  #lookup({ input, from, keys, values, alias, isInner }: Lookup): Draft {
    const draft = this.build(input)
    const rows = draft.stage === 'rows' && draft.select.where.length === 0 ? draft : derived(draft, alias)
    const name = aliasOf(from)
    this.ctes.push({ name, query: finish(this.build(from)) })
    const theirs = (column: string, type: DataType): RelationColumn => relationColumn(name, column, type)
    const on = keys.map((key): SqlExpr => {
      const [left, right] = [read(key.own, rows.columns), theirs(key.theirs, key.type)]
      return key.nullSafe ? sameOrBothNull<SqlLeaf>(left, right) : binary('=', left, right)
    })
    const right: From = { kind: 'cte', name, alias: name }
    const mayLack = from.kind === 'aggregate' && from.onlyWithRows === true
    const type = keys.length === 0 && !mayLack ? 'cross' : isInner ? 'inner' : 'left'
    const join: From = {
      kind: 'join',
      type,
      left: rows.select.from,
      right,
      on: allOf(on) ?? (mayLack ? TRUE : undefined),
    }
    const columns = values.map((v): [string, SqlExpr] => [v.name, foundValue(v, name)])
    return { ...rowsOf(join), columns: new Map([...rows.columns, ...columns]) }
  }

  #window({ input, columns, calls }: Window): Draft {
    const reads = [
      ...columns.map((c) => c.expression),
      ...calls.flatMap((c) => [...c.args, ...c.orderBy.map((o) => o.expression)]),
    ]
    const open = openToCounts(openToKeys(this.#open(input, 'projected'), calls, input), calls, input)
    const draft = stillOneRow(open, reads, input)
    const items = columns.map((c): SelectItem => ({ alias: c.name, type: c.type, expression: read(c.expression, draft.columns) }))
    const windows = calls.map(
      (call): SelectItem => ({ alias: call.name, type: call.type, expression: windowCall(call, draft.columns) }),
    )
    const all = [...items, ...windows]
    return { select: { ...draft.select, items: all }, columns: new Map(all.map((i) => [i.alias, i.expression])), stage: 'closed' }
  }

  /** Every number is the sum of its digits, each multiplied by its place value. */
  #numbers({ alias, names, places }: Numbers): Draft {
    const parts = DIGITS.map((digit) => select([{ alias: 'd', type: INT, expression: integer(digit) }], { kind: 'nothing' }))
    this.ctes.push({ name: alias, query: { kind: 'union-all', parts } })
    const froms = places.map((place): From => ({ kind: 'cte', name: alias, alias: `${alias}_${place}` }))
    const from = froms.reduce((left, right) => ({ kind: 'join', type: 'cross', left, right, on: undefined }))
    const terms = places.map((place): SqlExpr => {
      const digit = relationColumn(`${alias}_${place}`, 'd', INT)
      if (place === 1) return digit
      // An engine gives digits the smallest possible type.
      const wide: SqlExpr = place < WIDE ? digit : { kind: 'cast', operand: digit, type: INT }
      return binary<SqlLeaf>('*', wide, integer(place))
    })
    const sums = names.map((name, i): [string, SqlExpr] => [name, terms.slice(0, i + 1).reduce((a, b) => binary('+', a, b))])
    return { ...rowsOf(from), columns: new Map(sums) }
  }

  #sort({ input, keys }: Sort): Draft {
    const draft = openToKeys(this.#open(input, 'sorted'), [{ orderBy: keys }], input)
    const orderBy = keys.map((key) => orderItem(key, draft.columns))
    return { ...draft, select: { ...draft.select, orderBy }, stage: before(draft.stage, 'sorted') ? 'sorted' : draft.stage }
  }

  #limit({ input, limit, offset }: Limit): Draft {
    const draft = this.#open(input, 'limited')
    return { ...draft, select: { ...draft.select, limit, offset }, stage: 'limited' }
  }

  /** The input as a draft to which the parts of `stage` can still be added; otherwise wrapped as a derived table. */
  #upTo(input: LogicalPlan, stage: Stage): Draft {
    const draft = this.build(input)
    return before(draft.stage, stage) ? draft : derived(draft, aliasOf(input))
  }

  /** Like `upTo`, but a draft already at the stage is accepted, too. */
  #open(input: LogicalPlan, stage: Stage): Draft {
    const draft = this.build(input)
    return draft.stage !== 'closed' && (before(draft.stage, stage) || draft.stage === 'sorted')
      ? draft
      : derived(draft, aliasOf(input))
  }
}

/** Ten of these have more than 32 bits. */
const WIDE = 1_000_000_000
const DIGITS = Array.from({ length: 10 }, (_, digit) => digit)

function windowCall({ function: name, args, partitionBy, orderBy, frame, where, type }: NamedWindow, columns: Columns): SqlExpr {
  const call: SqlExpr = {
    kind: 'window',
    function: name,
    args: args.map((a) => read(a, columns)),
    partitionBy: partitionBy.map((p) => read(p, columns)),
    orderBy: orderBy.map((o) => orderItem(o, columns)),
    ...(frame && { frame }),
    type,
  }
  // A sum of integers is wider than they are, on every engine.
  const value: SqlExpr = name === 'sum' && type.kind === 'int' ? { kind: 'cast', operand: call, type } : call
  return onlyWhere(where && read(where, columns), value)
}

function freeName(name: string, { keys, legs }: Combine): string {
  const taken = new Set([...keys, ...legs.flatMap((leg) => leg.values)].map((c) => c.name.toLowerCase()))
  let free = name
  while (taken.has(free)) free += '_'
  return free
}

function grouped(source: Draft, keys: readonly NamedExpr[], aggregates: readonly NamedAggregate[]): Draft {
  const keyItems = keys.map((k): SelectItem => ({ alias: k.name, type: k.type, expression: read(k.expression, source.columns) }))
  const values = aggregates.map(
    (a): SelectItem => ({ alias: a.name, type: a.type, expression: aggregateCall(a, source.columns) }),
  )
  const items = [...keyItems, ...values]
  const distinct = aggregates.length === 0
  const select: Select = { ...source.select, items, groupBy: distinct ? [] : keyItems.map((k) => k.expression), distinct }
  const columns = new Map(items.map((i) => [i.alias, i.expression]))
  return { select, columns, stage: distinct ? 'projected' : 'grouped', oneRow: keys.length === 0 && !distinct }
}

const placesOf = (names: readonly string[], keys: readonly NamedExpr[]): number[] =>
  names.map((name) => keys.findIndex((key) => key.name === name))

function aggregateCall(
  { aggregate: name, args, distinct, orderBy, percentile, delimiter, filter, onlyWith, type }: NamedAggregate,
  columns: Columns,
): SqlExpr {
  const condition = filter && read(filter, columns)
  const given: SqlExpr[] = args.map((arg) => read(arg, columns))
  const present = name === 'count' && given.length === 0 ? presentIn(condition) : undefined
  const counted: SqlExpr[] = present ? [present] : given.length === 0 && condition ? [integer(1)] : given
  const narrowed = counted.map(
    (arg, i): SqlExpr =>
      condition && !present && i === 0 ? { kind: 'case', branches: [{ when: condition, then: arg }], otherwise: undefined } : arg,
  )
  const value: SqlExpr = MADE[name]?.(narrowed, type) ?? {
    kind: 'aggregate',
    name,
    args: narrowed,
    distinct,
    orderBy: orderBy.map((k) => orderItem(k, columns)),
    percentile,
    delimiter,
    type,
  }
  return onlyWith ? whereRowsMeet(read(onlyWith, columns), value, given.length === 0 && isSame(onlyWith, filter)) : value
}

/** The column that rows must have, if that is their whole condition: its values are counted. */
function presentIn(condition: SqlExpr | undefined): SqlExpr | undefined {
  const absent = condition?.kind === 'unary' && condition.operator === 'not' ? condition.operand : undefined
  return absent?.kind === 'is-null' && absent.operand.kind === 'column' ? absent.operand : undefined
}

/** NULL if no row satisfies the condition. A call that counts these rows returns that itself. */
function whereRowsMeet(condition: SqlExpr, counted: SqlExpr, isOfRows: boolean): SqlExpr {
  if (isOfRows) return call('nullif', counted, integer(0))
  const rows = aggregate('count', [onlyWhere<SqlLeaf>(condition, integer(1))], INT)
  return onlyWhere(binary<SqlLeaf>('>', rows, integer(0)), counted)
}

/** Aggregates that are computed from others: the only count of its column, the sum and the average of several, and those over rows with weights. */
const MADE: Readonly<Record<string, (args: readonly SqlExpr[], type: DataType) => SqlExpr>> = {
  only_count: ([count], type) => coalesce(aggregate('max', [count!], type), integer(0)),
  total_count: ([count], type) => coalesce(aggregate('sum', [count!], type), integer(0)),
  total_avg: ([total, count]) => {
    const counted = onlyWhere(isNotNull(total!), count!)
    const double = (operand: SqlExpr): SqlExpr => ({ kind: 'cast', operand, type: FLOAT })
    return binary('/', double(aggregate('sum', [total!], decimal(MAX_PRECISION, 0))), double(aggregate('sum', [counted], INT)))
  },
  weighted_count: ([weight], type) => coalesce(aggregate('sum', [weight!], type), integer(0)),
  weighted_avg: ([product, weight], type) => binary('/', aggregate('sum', [product!], type), aggregate('sum', [weight!], type)),
}

/** The only value of its column in a group. */
function onlyValue(value: Leg['values'][number], column: (name: string, type: DataType) => RelationColumn): SqlExpr {
  const only = onlyOne(column(value.name, encodedType(value.type)), value.type)
  return value.emptyIsZero ? coalesce<SqlLeaf>(only, integer(0)) : only
}

function emptyValue(type: DataType): SqlExpr {
  const encoded = encodedType(type)
  return typedNull(encoded)
}
