import type { BoundBlock, BoundJoin, Condition, NamedExpr } from '../bind/bound-block.js'
import { equalityOf } from '../model/join-term.js'
import { relationName } from '../resolve/aliases.js'
import { isKeyColumn } from '../resolve/key-column.js'
import { propagatesNull } from '../resolve/propagates-null.js'
import { type RelationColumn, type RowExpr, relationColumn, tablesIn } from '../resolve/relation-column.js'
import type { RowTerm } from '../resolve/row-terms.js'
import { tablesOn } from '../resolve/row-terms.js'
import { planPartsOf, planUntaken } from './block.js'
import { planRows } from './from.js'
import type { LogicalPlan } from './logical-plan.js'
import { isPresence, isPresenceOf } from './null-rejecting.js'
import { isPlainBlock } from './plain-block.js'

/** A joined object of which every column is determined by some groups, with the joins that follow from it. */
interface Decided {
  readonly object: string
  /** The determining groups, and the equal columns of the object. */
  readonly keys: readonly { readonly group: NamedExpr; readonly column: RelationColumn }[]
  /** The object itself comes first. */
  readonly joins: readonly BoundJoin[]
  readonly tables: ReadonlySet<string>
  /** Determined by columns of earlier rows: it need not be joined before rows are grouped. */
  readonly fromBefore: boolean
  readonly names: readonly NamedExpr[]
}

/**
 * The aggregation of a block by keys alone, and the names that these determine looked up afterwards; `undefined` if nothing is gained. No
 * group is split or merged, so every aggregate is unchanged. If the groups are not read twice, those without a key may be left out afterwards.
 */
export function planWithLateNames(block: BoundBlock, alias: string, isReadTwice = true): LogicalPlan | undefined {
  const decided = decidedIn(block)
  if (decided.length === 0) return undefined
  const bare = withoutNames(block, decided)
  const dropping = isReadTwice ? [] : decided.filter((one) => presencesIn(block, one).length > 0)
  const dropped = dropping.flatMap((one) => presencesIn(block, one))
  const groups = planUntaken({ ...bare, where: bare.where.filter((condition) => !dropped.includes(condition)) }, alias)
  return decided.reduce<LogicalPlan>((input, one) => lookedUp(input, one, dropping.includes(one)), groups)
}

/**
 * The conditions that the key of an object is not NULL, if every other key finds a row, because it is a foreign key: the join that looks up
 * names then leaves out the same rows. Engines take such a condition for a selective one when they order joins.
 */
function presencesIn({ where }: BoundBlock, { keys, joins, fromBefore }: Decided): readonly Condition[] {
  const [key, ...more] = keys
  if (!key || more.length > 0 || !fromBefore || !joins[0]?.matchedBy) return []
  return where.filter(({ expression }) => isPresenceOf(expression, key.group.expression))
}

function lookedUp(input: LogicalPlan, { object, keys, joins, names: late }: Decided, isInner: boolean): LogicalPlan {
  const [first, ...more] = joins
  if (first?.right.kind !== 'scan') return input
  const columns = [...keys.map(({ group, column }) => ({ ...group, expression: column })), ...late]
  const rows = planRows({ start: first.right, joins: more.map((join) => ({ ...join, type: 'left' })) }, planPartsOf())
  return {
    kind: 'lookup',
    alias: 'answer_rows',
    input,
    from: { kind: 'project', input: rows, alias: relationName(object, '_names'), columns },
    keys: keys.map(({ group: { name, type } }) => ({ own: relationColumn('', name, type), theirs: name, type, nullSafe: false })),
    values: late.map(({ name, type }) => ({ name, type, emptyIsZero: false })),
    ...(isInner && { isInner }),
    reason: `what the key of '${object}' decides, for each group once${isInner ? ', and no group without a key' : ''}`,
  }
}

/** The block without the names that are looked up later, and without the joins that nothing else reads. */
function withoutNames(block: BoundBlock, decided: readonly Decided[]): BoundBlock {
  const late = new Set(decided.flatMap((one) => one.names.map((n) => n.name)))
  const droppable = new Set(decided.flatMap((one) => [...one.tables]))
  const groupBy = block.groupBy.filter((key) => !late.has(key.name))
  const read = new Set([...groupBy.map((key) => key.expression), ...readBeside(block)].flatMap(tablesIn))
  const { from } = block
  // From the last join to the first: a join reads what was joined before it.
  const joins = from.base.joins
    .toReversed()
    .filter(({ type, right, on }) => {
      if (type === 'left' && droppable.has(right.alias) && !read.has(right.alias)) return false
      for (const table of tablesOn(on)) read.add(table)
      return true
    })
    .toReversed()
  return { ...block, groupBy, from: { ...from, base: { ...from.base, joins } } }
}

/** The expressions that a block reads besides its groups. */
const readBeside = ({ where, aggregates }: BoundBlock): readonly RowExpr[] => [
  ...where.map((condition) => condition.expression),
  ...aggregates.flatMap(({ args, orderBy, filter, onlyWith }) => [
    ...[...args, ...orderBy].map((one) => one.expression),
    ...[filter, onlyWith].filter((one) => one !== undefined),
  ]),
]

function decidedIn(block: BoundBlock): readonly Decided[] {
  const { from, aggregates } = block
  if (!isPlainBlock(block) || aggregates.length === 0) return []
  // From the last to the first: of groups by the same column, the first is kept.
  const groups = new Map(
    block.groupBy.toReversed().flatMap((group) => (isKeyColumn(group.expression) ? [[placeOf(group.expression), group]] : [])),
  )
  const found = from.base.joins.reduce<readonly Decided[]>((known, join) => withJoin(known, join, groups), [])
  const deciding = new Set(found.flatMap((one) => one.keys.map(({ group }) => group.name)))
  return found
    .map((one) => ({ ...one, names: block.groupBy.filter((g) => !deciding.has(g.name) && isDecided(g.expression, one)) }))
    .filter((one) => pays(one, block))
}

/** If the row is missing, all of these are NULL. */
function isDecided(expression: RowExpr, { tables }: Decided): boolean {
  const read = tablesIn(expression)
  return read.length > 0 && read.every((table) => tables.has(table)) && propagatesNull<RelationColumn>(expression)
}

/**
 * Grouping by texts and by several columns is slow. An object that is read before and after the aggregation is read twice, which is not
 * worth it if conditions leave few groups.
 */
function pays({ names, tables, fromBefore }: Decided, block: BoundBlock): boolean {
  const others = readBeside(block)
  if (names.length === 0) return false
  if (fromBefore) return !others.flatMap(tablesIn).some((table) => tables.has(table))
  const texts = names.filter((name) => name.type.kind === 'string')
  const isFiltered = block.where.length > 0 || block.aggregates.some((aggregate) => aggregate.filter)
  if (!isFiltered) return names.length > 1 || texts.length > 0
  const chosen = block.where.filter(({ expression }) => !isPresence(expression)).flatMap(({ expression }) => tablesIn(expression))
  return names.length > 2 && texts.length > 0 && !chosen.some((table) => tables.has(table))
}

/** With the columns that a join adds: those that earlier ones determine, or that are grouped by, directly or as equal columns. */
function withJoin(known: readonly Decided[], join: BoundJoin, groups: ReadonlyMap<string, NamedExpr>): readonly Decided[] {
  const { right, type, label } = join
  const pairs = pairsOf(join.on, right.alias)
  if (right.kind !== 'scan' || right.elements || label.role === undefined || !pairs) return known
  const before = known.find(({ tables }) => pairs.every(({ near }) => tables.has(near.table)))
  if (before) {
    const grown = { ...before, joins: [...before.joins, join], tables: new Set([...before.tables, right.alias]) }
    return known.map((one) => (one === before ? grown : one))
  }
  const keysBy = (side: 'far' | 'near') =>
    pairs.flatMap((pair) => {
      const group = groups.get(placeOf(pair[side]))
      return group ? [{ group, column: pair.far }] : []
    })
  const own = keysBy('far')
  const keys = own.length < pairs.length && type === 'left' ? keysBy('near') : own
  if (keys.length < pairs.length) return known
  const { object } = right
  return [...known, { object, keys, joins: [join], tables: new Set([right.alias]), fromBefore: keys !== own, names: [] }]
}

const placeOf = ({ table, name }: RelationColumn): string => `${table}\u0000${name}`

interface Pair {
  readonly near: RelationColumn
  readonly far: RelationColumn
}

/** The columns that a join compares, if it only compares columns of the joined object with others. */
function pairsOf(on: readonly RowTerm[], alias: string): readonly Pair[] | undefined {
  const equal = equalityOf(on)
  const pairs = equal?.flatMap(({ from, to }): readonly Pair[] => {
    if (from.kind !== 'column' || to.kind !== 'column' || from.table === to.table) return []
    return to.table === alias ? [{ near: from, far: to }] : from.table === alias ? [{ near: to, far: from }] : []
  })
  return pairs?.length === equal?.length ? pairs : undefined
}
