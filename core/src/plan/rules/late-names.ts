import { equalityOf } from '../../model/join-term.js'
import { madeOf } from '../../relation/relation.js'
import { isKeyColumn } from '../../resolve/key-column.js'
import { propagatesNull } from '../../resolve/propagates-null.js'
import { type RelationColumn, type RowExpr, relationColumn, tablesIn } from '../../resolve/relation-column.js'
import { tablesOn } from '../../resolve/row-terms.js'
import { inputsOf, withInputs } from '../inputs.js'
import { planOf, relationOf } from '../joined-rows.js'
import { isModelJoin } from '../known-join.js'
import type { Aggregate, Filter, Join, LogicalPlan, NamedExpr } from '../logical-plan.js'
import { isPresence, isPresenceOf } from '../null-rejecting.js'
import { type PlainRows, plainRowsOf } from '../plain-rows.js'
import { readBesideKeys } from '../read-beside-keys.js'
import type { Rule } from './rule.js'

/**
 * The aggregation by keys alone, and the names that these determine looked up for its groups. A key has one row of its object, so that no group is split or merged,
 * and every aggregate is unchanged. Only the groups of an answer, or of rows that are read several times: others are joined by the names, or aggregated again.
 */
export const lateNames: Rule = {
  name: 'late-names',
  drops: true,
  rewrite: (node) => (node.kind === 'project' || node.kind === 'shared' ? withNames(node, node.kind === 'shared') : undefined),
}

/** The node over the same groups. `isReadAgain`: what is looked up for the groups may read them before their names. */
function withNames(node: LogicalPlan, isReadAgain: boolean): LogicalPlan | undefined {
  const [groups, ...more] = inputsOf(node)
  if (!groups) return undefined
  const named =
    groups.kind === 'aggregate'
      ? withLateNames(groups, isReadAgain)
      : KEEPS_GROUPS.has(groups.kind)
        ? withNames(groups, isReadAgain || READS_AGAIN.has(groups.kind))
        : undefined
  return named && withInputs(node, [named, ...more])
}

/** What has a row for each row of its first input that it keeps. */
const KEEPS_GROUPS: ReadonlySet<LogicalPlan['kind']> = new Set(['project', 'filter', 'sort', 'window', 'lookup'])
const READS_AGAIN: ReadonlySet<LogicalPlan['kind']> = new Set(['window', 'lookup'])

/** A joined object of which every column is determined by some groups, with the joins that follow from it. */
interface Decided {
  readonly object: string
  /** The determining groups, and the equal columns of the object. */
  readonly keys: readonly { readonly group: NamedExpr; readonly column: RelationColumn }[]
  /** The object itself comes first. */
  readonly joins: readonly Join[]
  readonly tables: ReadonlySet<string>
  /** Determined by columns of earlier rows: it need not be joined before rows are grouped. */
  readonly fromBefore: boolean
  readonly names: readonly NamedExpr[]
}

/** `undefined` if nothing is gained. If the groups are not read again, those without a key may be left out afterwards. */
function withLateNames(node: Aggregate, isReadAgain: boolean): LogicalPlan | undefined {
  const rows = plainRowsOf(node)
  const decided = rows && node.aggregates.length > 0 ? decidedIn(node, rows) : []
  if (!rows || decided.length === 0) return undefined
  const bare = withoutNames(node, rows, decided)
  const dropping = isReadAgain ? [] : decided.filter((one) => presencesIn(rows, one).length > 0)
  const dropped = dropping.flatMap((one) => presencesIn(rows, one))
  const filters = rows.filters.filter((filter) => !dropped.includes(filter))
  const groups: Aggregate = { ...node, keys: bare.keys, input: planOf({ ...rows, joins: bare.joins, filters }) }
  return decided.reduce<LogicalPlan>((input, one) => lookedUp(input, one, dropping.includes(one)), groups)
}

/**
 * The conditions that the key of an object is not NULL, if every other key finds a row, because it is a foreign key: the join that looks up
 * names then leaves out the same rows. Engines take such a condition for a selective one when they order joins.
 */
function presencesIn({ filters }: PlainRows, { keys, joins, fromBefore }: Decided): readonly Filter[] {
  const [key, ...more] = keys
  if (!key || more.length > 0 || !fromBefore || !joins[0]?.matchedBy) return []
  return filters.filter(({ condition }) => isPresenceOf(condition, key.group.expression))
}

function lookedUp(input: LogicalPlan, { object, keys, joins, names: late }: Decided, isInner: boolean): LogicalPlan {
  const [first, ...more] = joins
  if (!first) return input
  const columns = [...keys.map(({ group, column }) => ({ ...group, expression: column })), ...late]
  const rows = planOf({ start: first.right, joins: more.map((join) => ({ ...join, type: 'left' })), filters: [] })
  return {
    kind: 'lookup',
    alias: 'answer_rows',
    input,
    from: { kind: 'project', input: rows, alias: madeOf(object, '_names'), columns },
    keys: keys.map(({ group: { name, type } }) => ({ own: relationColumn('', name, type), theirs: name, type, nullSafe: false })),
    values: late.map(({ name, type }) => ({ name, type, emptyIsZero: false })),
    ...(isInner && { isInner }),
    reason: `what the key of '${object}' decides, for each group once${isInner ? ', and no group without a key' : ''}`,
  }
}

/** The groups without the names that are looked up later, and the joins without those that nothing else reads. */
function withoutNames(
  node: Aggregate,
  rows: PlainRows,
  decided: readonly Decided[],
): { readonly keys: readonly NamedExpr[]; readonly joins: readonly Join[] } {
  const late = new Set(decided.flatMap((one) => one.names.map((n) => n.name)))
  const droppable = new Set(decided.flatMap((one) => [...one.tables]))
  const keys = node.keys.filter((key) => !late.has(key.name))
  const read = new Set([...keys.map((key) => key.expression), ...readBesideKeys(node, rows)].flatMap(tablesIn))
  // From the last join to the first: a join reads what was joined before it.
  const joins = rows.joins
    .toReversed()
    .filter((join) => {
      const relation = relationOf(join)
      if (join.type === 'left' && droppable.has(relation) && !read.has(relation)) return false
      for (const table of tablesOn(join.on)) read.add(table)
      return true
    })
    .toReversed()
  return { keys, joins }
}

function decidedIn(node: Aggregate, rows: PlainRows): readonly Decided[] {
  // From the last to the first: of groups by the same column, the first is kept.
  const groups: Groups = new Map()
  for (const group of node.keys.toReversed()) if (isKeyColumn(group.expression)) addGroup(groups, group.expression, group)
  // Without a key column among the groups, no join is determined by them.
  if (groups.size === 0) return []
  const found = rows.joins.reduce<readonly Decided[]>((known, join) => withJoin(known, join, groups), [])
  const deciding = new Set(found.flatMap((one) => one.keys.map(({ group }) => group.name)))
  return found
    .map((one) => ({ ...one, names: node.keys.filter((g) => !deciding.has(g.name) && isDecided(g.expression, one)) }))
    .filter((one) => pays(one, node, rows))
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
function pays({ names, tables, fromBefore }: Decided, node: Aggregate, rows: PlainRows): boolean {
  if (names.length === 0) return false
  if (fromBefore)
    return !readBesideKeys(node, rows)
      .flatMap(tablesIn)
      .some((table) => tables.has(table))
  const texts = names.filter((name) => name.type.kind === 'string')
  const isFiltered = rows.filters.length > 0 || node.aggregates.some((aggregate) => aggregate.filter)
  if (!isFiltered) return names.length > 1 || texts.length > 0
  const chosen = rows.filters.flatMap(({ condition }) => (isPresence(condition) ? [] : tablesIn(condition)))
  return names.length > 2 && texts.length > 0 && !chosen.some((table) => tables.has(table))
}

/** With the columns that a join adds: those that earlier ones determine, or that are grouped by, directly or as equal columns. */
function withJoin(known: readonly Decided[], join: Join, groups: Groups): readonly Decided[] {
  const { right, type } = join
  const relation = relationOf(join)
  const pairs = pairsOf(join.on, relation)
  if (!isModelJoin(join) || right.kind !== 'scan' || !pairs) return known
  const before = known.find(({ tables }) => pairs.every(({ near }) => tables.has(near.table)))
  if (before) {
    const grown = { ...before, joins: [...before.joins, join], tables: new Set([...before.tables, relation]) }
    return known.map((one) => (one === before ? grown : one))
  }
  const keysBy = (side: 'far' | 'near') =>
    pairs.flatMap((pair) => {
      const group = groups.get(pair[side].table)?.get(pair[side].name)
      return group ? [{ group, column: pair.far }] : []
    })
  const own = keysBy('far')
  const keys = own.length < pairs.length && type === 'left' ? keysBy('near') : own
  if (keys.length < pairs.length) return known
  const { object } = right
  return [...known, { object, keys, joins: [join], tables: new Set([relation]), fromBefore: keys !== own, names: [] }]
}

/** Groups by a column, by the relation and the name of the column. */
type Groups = Map<string, Map<string, NamedExpr>>

function addGroup(groups: Groups, { table, name }: RelationColumn, group: NamedExpr): void {
  const ofTable = groups.get(table) ?? new Map<string, NamedExpr>()
  ofTable.set(name, group)
  groups.set(table, ofTable)
}

interface Pair {
  readonly near: RelationColumn
  readonly far: RelationColumn
}

/** The columns that a join compares, if it only compares columns of the joined object with others. */
function pairsOf(on: Join['on'], alias: string): readonly Pair[] | undefined {
  const equal = equalityOf(on)
  const pairs = equal?.flatMap(({ from, to }): readonly Pair[] => {
    const isOfJoined = to.kind === 'column' && to.table === alias
    return isOfJoined && from.kind === 'column' && from.table !== alias ? [{ near: from, far: to }] : []
  })
  return pairs?.length === equal?.length ? pairs : undefined
}
