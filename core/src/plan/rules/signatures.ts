import { leavesOf } from '../../model/expression/ast.js'
import { type RelationColumn, tablesIn } from '../../resolve/relation-column.js'
import { tablesOn } from '../../resolve/row-terms.js'
import { unlike } from '../../same.js'
import { inputsOf, withInputs } from '../inputs.js'
import { joinedRowsOf, planOf, relationOf } from '../joined-rows.js'
import {
  type Aggregate,
  type Filter,
  type Join,
  type LogicalPlan,
  type Lookup,
  type NamedAggregate,
  type NamedWindow,
  plainAggregate,
  type RowExpr,
} from '../logical-plan.js'
import { isPresence } from '../null-rejecting.js'
import { readBesideKeys } from '../read-beside-keys.js'
import { isOfTopValues } from '../same-rows.js'
import { termsOf } from '../spans.js'

/** What a value is computed from: the tables that are scanned for it, and the conditions on their rows. */
export interface Signature {
  readonly tables: ReadonlySet<string>
  /** As text. That a column is not NULL is left out, because an inner join requires it, too. */
  readonly conditions: ReadonlySet<string>
}

interface Noted extends Signature {
  readonly tables: Set<string>
  readonly conditions: Set<string>
}

/** The signatures of the values of a plan. */
export class Signatures {
  readonly #isOfReadTables: boolean
  readonly #values = new Map<string, Noted>()
  readonly #columns = new Map<string, Noted>()
  /** A plan is reached from each value above it, and through each part that shares it. */
  readonly #collected = new Map<LogicalPlan, Signature>()
  readonly #found = new Map<LogicalPlan, Map<string, Signature | undefined>>()

  /** With `isOfReadTables`, without the tables that neither a value nor a condition reads. */
  constructor(plan: LogicalPlan, isOfReadTables: boolean) {
    this.#isOfReadTables = isOfReadTables
    this.#collect(plan)
  }

  /** Of each aggregate, by its name. Those of one name, such as a total and its parts, are one. */
  get values(): ReadonlyMap<string, Signature> {
    return this.#values
  }

  /**
   * Of an aggregate, or of a column that an expression computes from aggregates, such as a value that was one. Where both have the name, one of several
   * aggregations of it may have become such a column: that of the aggregates, and that of all.
   */
  of(name: string): readonly Signature[] {
    const [value, column] = [this.#values.get(name), this.#columns.get(name)]
    const both = value && column ? together([value, column]) : undefined
    return [value ?? column, both].filter((one) => one !== undefined)
  }

  #collect(node: LogicalPlan): Signature {
    const known = this.#collected.get(node)
    if (known) return known
    const collected = this.#collectNow(node)
    this.#collected.set(node, collected)
    return collected
  }

  #collectNow(node: LogicalPlan): Signature {
    const below = together(
      inputsOf(node).flatMap((input, at) => {
        if (node.kind === 'join' && at === 1 && isOfKeys(node)) return []
        const below = this.#collect(input)
        // The windows of rows are read, and not their values.
        if (node.kind === 'join' && at === 0 && node.window) return []
        return this.#isOfReadTables && node.kind === 'lookup' && at === 1 && isOfNames(node) ? [] : [below]
      }),
    )
    if (node.kind === 'scan') return { ...below, tables: new Set([node.object]) }
    if (node.kind === 'filter') return isOnMarks(node) ? below : together([below, conditionsIn(node.condition)])
    if (node.kind === 'aggregate') for (const call of node.aggregates) this.#note(call.name, this.#ofCall(call, node))
    if (node.kind === 'window')
      for (const call of node.calls) {
        const values = this.#ofWindow(call, node.input)
        if (values) this.#note(call.name, values)
      }
    if (node.kind === 'project')
      for (const { name, expression } of node.columns) {
        const values = expression.kind === 'column' ? undefined : this.#ofValues([expression], node.input)
        if (values) this.#note(name, values, this.#columns)
      }
    return node.kind === 'aggregate' ? withoutAnyFilter(node, below) : below
  }

  #ofCall(call: NamedAggregate, node: Aggregate): Signature {
    const read =
      this.#readBy(call, node.input) ??
      this.#ofValues([...call.args, call.filter], node.input) ??
      together([
        this.#collect(
          this.#isOfReadTables ? withReadTablesBelow(withReadTables({ ...node, aggregates: [call] }).input) : node.input,
        ),
        this.#ofTotals(call, node.input),
      ])
    return together([withoutAnyFilter(node, read), call.filter ? this.#ofCondition(call.filter, node.input) : NOTHING])
  }

  /** What the totals of parts are computed from that joined rows begin with, and that the call reads. */
  #ofTotals({ args }: Pick<NamedAggregate, 'args'>, input: LogicalPlan): Signature {
    const { start } = joinedRowsOf(input)
    if (start.kind !== 'aggregate') return NOTHING
    const columns = args.flatMap((arg) => leavesOf<RelationColumn>(arg)).filter(({ table }) => table === start.alias)
    return together(columns.flatMap(({ name }) => this.#signatureOf(start, name) ?? []))
  }

  /** A condition on values that count rows is what these rows meet. */
  #ofCondition(condition: RowExpr, input: LogicalPlan): Signature {
    const values = this.#ofValues([condition], input)
    return values ? { ...values, tables: new Set() } : conditionsIn(condition)
  }

  /** What expressions are computed from, if they read nothing but computed columns. */
  #ofValues(read: readonly (RowExpr | undefined)[], input: LogicalPlan): Signature | undefined {
    const columns = read.flatMap((one) => (one ? leavesOf<RelationColumn>(one) : []))
    const values = columns.flatMap(({ name }) => this.#signatureOf(input, name) ?? [])
    return columns.length > 0 && values.length === columns.length ? together(values) : undefined
  }

  #ofWindow(call: Pick<NamedWindow, 'args'>, input: LogicalPlan): Signature | undefined {
    return this.#ofValues(call.args, input) ?? this.#readBy(call, input)
  }

  /** What a column of computed rows is computed from. */
  #signatureOf(node: LogicalPlan, name: string): Signature | undefined {
    const ofNode = this.#found.get(node) ?? new Map<string, Signature | undefined>()
    if (ofNode.size === 0) this.#found.set(node, ofNode)
    if (!ofNode.has(name)) ofNode.set(name, this.#findSignature(node, name))
    return ofNode.get(name)
  }

  #findSignature(node: LogicalPlan, name: string): Signature | undefined {
    const isNamed = (one: { readonly name: string }): boolean => one.name === name
    switch (node.kind) {
      case 'aggregate': {
        const key = node.keys.find(isNamed)
        const call = key ? plainAggregate(name, 'any_value', [key.expression], key.type) : node.aggregates.find(isNamed)
        return call && this.#ofCall(call, node)
      }
      case 'window': {
        const call = node.calls.find(isNamed)
        return call ? this.#ofWindow(call, node.input) : this.#signatureOf(node.input, name)
      }
      case 'lookup':
        return node.values.some(isNamed) ? this.#ofLookedUp(node, name) : this.#signatureOf(node.input, name)
      case 'combine': {
        const legs = node.legs.filter(
          ({ values, contributesRows }) => values.some(isNamed) || (contributesRows && node.keys.some(isNamed)),
        )
        return this.#signatureOfAll(
          legs.map(({ input }) => input),
          name,
        )
      }
      case 'project':
      case 'distinct': {
        const column = node.columns.find(isNamed)
        return column && this.#ofValues([column.expression], node.input)
      }
      case 'filter':
      case 'shared':
        return this.#signatureOf(node.input, name)
      case 'join':
        return node.window && this.#signatureOf(node.right, name)
      case 'union':
        return this.#signatureOfAll(
          node.inputs.filter((one) => !isAbsent(one, name)),
          name,
        )
      default:
        return undefined
    }
  }

  /** A name that is looked up is computed from its table, and from the key by which it is found. */
  #ofLookedUp(node: Lookup, name: string): Signature | undefined {
    const value = this.#signatureOf(node.from, name)
    if (value || !isOfNames(node)) return value
    const keys = this.#ofValues(
      node.keys.map(({ own }) => own),
      node.input,
    )
    return keys && together([this.#collect(node.from), keys])
  }

  #signatureOfAll(inputs: readonly LogicalPlan[], name: string): Signature | undefined {
    const known = inputs.map((one) => this.#signatureOf(one, name)).filter((one) => one !== undefined)
    return known.length === inputs.length ? together(known) : undefined
  }

  /** What an aggregate of united rows is computed from: those rows in which its argument is not absent. */
  #readBy({ args }: Pick<NamedAggregate, 'args'>, input: LogicalPlan): Signature | undefined {
    const { start, joins, filters } = joinedRowsOf(input)
    if (start.kind !== 'union') return undefined
    const columns = args
      .flatMap((arg) => leavesOf<RelationColumn>(arg))
      .filter(({ table }) => table === '' || table === start.alias)
    const read = start.inputs.filter((one) => columns.some((column) => !isAbsent(one, column.name)))
    const beside = joins.filter((join) => !isOfKeys(join)).map(({ right }) => right)
    return together([
      ...[...read, ...beside].map((one) => this.#collect(one)),
      ...filters.map(({ condition }) => conditionsIn(condition)),
    ])
  }

  #note(name: string, { tables, conditions }: Signature, noted = this.#values): void {
    const known = noted.get(name) ?? { tables: new Set(), conditions: new Set() }
    for (const table of tables) known.tables.add(table)
    for (const condition of conditions) known.conditions.add(condition)
    noted.set(name, known)
  }
}

const NO_TEXTS: ReadonlySet<string> = new Set()
const NOTHING: Signature = { tables: NO_TEXTS, conditions: NO_TEXTS }

/** Rules keep most conditions as they are, and each plan is compared with the one before it. */
const conditions = new WeakMap<RowExpr, Signature>()

function conditionsIn(condition: RowExpr): Signature {
  const known = conditions.get(condition)
  if (known) return known
  const terms = termsOf(condition, 'and').flatMap((term) => (isPresence(term) ? [] : [textOf(term)]))
  const found = { tables: NO_TEXTS, conditions: new Set(terms) }
  conditions.set(condition, found)
  return found
}

/** Without a condition that each row meets which some aggregate counts: it decides no value. */
function withoutAnyFilter({ aggregates }: Aggregate, { tables, conditions }: Signature): Signature {
  const filters = unlike(aggregates.flatMap(({ filter }) => filter ?? [])).map(textOf)
  // Flags of grouping sets count no rows.
  if (filters.length === 0 || aggregates.some((call) => !call.filter && call.aggregate !== 'grouping'))
    return { tables, conditions }
  const isMet = (condition: string): boolean => {
    const terms = termsOf(JSON.parse(condition) as RowExpr, 'or').map(textOf)
    return terms.length > 1 && filters.every((filter) => terms.includes(filter))
  }
  return { tables, conditions: new Set([...conditions].filter((condition) => !isMet(condition))) }
}

/** A lookup that computes nothing, and leaves out and repeats no row. */
const isOfNames = ({ from }: Lookup): boolean => from.kind === 'project'

/** The aggregation without the joins that leave out and repeat no row, and that neither a value nor a condition reads. */
function withReadTables(node: Aggregate): Aggregate {
  const rows = joinedRowsOf(node.input)
  const read = new Set(readBesideKeys(node, rows).flatMap(tablesIn))
  const joins: Join[] = []
  for (const join of rows.joins.toReversed()) {
    if (((join.type === 'left' && join.findsOne) || isOfTopValues(join)) && !read.has(relationOf(join))) continue
    for (const table of tablesOn(join.on)) read.add(table)
    joins.unshift(join)
  }
  return joins.length === rows.joins.length ? node : { ...node, input: planOf({ ...rows, joins }) }
}

/** The same in the aggregations below: what only names their groups decides no number of them. */
function withReadTablesBelow(plan: LogicalPlan): LogicalPlan {
  const read = plan.kind === 'aggregate' ? withReadTables(plan) : plan
  const inputs = inputsOf(read)
  const below = inputs.map(withReadTablesBelow)
  return below.every((input, i) => input === inputs[i]) ? read : withInputs(read, below)
}

function together(all: readonly Signature[]): Signature {
  const [one = NOTHING, ...more] = unlikeNothing(all)
  if (more.length === 0) return one
  return { tables: union(one, more, ({ tables }) => tables), conditions: union(one, more, (each) => each.conditions) }
}

const unlikeNothing = (all: readonly Signature[]): readonly Signature[] =>
  all.filter((each, at) => (each.tables.size > 0 || each.conditions.size > 0) && all.indexOf(each) === at)

function union(one: Signature, more: readonly Signature[], of: (each: Signature) => ReadonlySet<string>): ReadonlySet<string> {
  const texts = new Set(of(one))
  for (const each of more) for (const text of of(each)) texts.add(text)
  return texts
}

/** A condition on marks alone separates rows that are computed together. It is no condition on the tables. */
function isOnMarks({ input, condition }: Filter): boolean {
  const columns = leavesOf<RelationColumn>(condition)
  return columns.length > 0 && columns.every(({ name }) => isMark(input, name))
}

/** Whether a column is a constant in each of the united rows. */
function isMark(plan: LogicalPlan, name: string): boolean {
  switch (plan.kind) {
    case 'window':
      return plan.calls.every((call) => call.name !== name) && isMark(plan.input, name)
    case 'union':
      return plan.inputs.every((one) => isMark(one, name))
    case 'project':
    case 'distinct':
      return plan.columns.some((column) => column.name === name && column.expression.kind === 'literal')
    default:
      return false
  }
}

/** Whether a column of these rows is always NULL. */
function isAbsent(plan: LogicalPlan, name: string): boolean {
  const { expression } =
    ((plan.kind === 'project' || plan.kind === 'distinct') && plan.columns.find((column) => column.name === name)) || {}
  return expression?.kind === 'cast' && expression.operand.kind === 'literal' && expression.operand.value === null
}

/** A join to the distinct keys of rows that are computed for the answer anyway: an implied condition, and no further rows. */
const isOfKeys = ({ right }: Join): boolean => right.kind === 'distinct' && right.input.kind === 'shared'

const textOf = (expression: RowExpr): string =>
  JSON.stringify(expression, (_, own) => (typeof own === 'bigint' ? `${own}n` : own))
