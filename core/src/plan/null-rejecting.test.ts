/** How conditions treat NULL: which joins become inner joins, and which grouping keys are never NULL. */
import t from 'tap'
import { INT } from '../model/data-type.js'
import { binary, call, coalesce, integer, isNotNull, isNull, not, onlyWhere } from '../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { holds } from '../resolve/row-terms.js'
import type { Aggregate, Join, LogicalPlan, Scan } from './logical-plan.js'
import { isNeverNull, isPresence, isPresenceOf, neededBy } from './null-rejecting.js'

const [a, b] = [relationColumn('a', 'n', INT), relationColumn('b', 'n', INT)]
const equal = (left: RowExpr, right: RowExpr): RowExpr => binary('=', left, right)
const is1 = (column: RelationColumn): RowExpr => equal(column, integer(1))

for (const [title, condition, expected] of [
  ['a comparison needs both of its sides', equal(a, b), ['a', 'b']],
  ['of a conjunction, what either part needs', binary('and', is1(a), is1(b)), ['a', 'b']],
  ['of a disjunction, what both parts need', binary('or', is1(a), equal(a, b)), ['a']],
  ['of a disjunction of two relations, none', binary('or', is1(a), is1(b)), []],
  ['IS NULL is met without a row', isNull<RelationColumn>(a), []],
  ['IS NOT NULL is not', isNotNull<RelationColumn>(a), ['a']],
  ['a negation of what is NULL is NULL', not(is1(a)), ['a']],
  ['COALESCE to a constant is met without a row', is1OfCoalesce(integer(1)), []],
  ['COALESCE needs what all of its values need', is1OfCoalesce(a), ['a']],
  ['a choice without a default needs its condition and its value', equal(onlyWhere(is1(a), b), integer(1)), ['a', 'b']],
  ['a choice with a constant for a default may be met without a row', equal(orZero(onlyWhere(is1(a), b)), integer(0)), []],
  ['but not where the constant does not meet it', equal(orZero(onlyWhere(is1(a), b)), integer(1)), ['a', 'b']],
  [
    'COALESCE to a constant that does not meet it needs the row',
    binary('>', coalesce<RelationColumn>(a, integer(0)), integer(0)),
    ['a'],
  ],
  ['a function of the catalogue is NULL of NULL', equal(call('abs', a), integer(1)), ['a']],
  ['of a function that a plugin brings nothing is known', equal(call('their_own', a), integer(1)), []],
  ['in a list', { kind: 'in', operand: a, list: [integer(1), integer(2)] }, ['a']],
] as const satisfies readonly (readonly [string, RowExpr, readonly string[]])[])
  t.test(title, (t) => {
    t.same([...neededBy(condition)].sort(), expected)
    t.end()
  })

function is1OfCoalesce(otherwise: RowExpr): RowExpr {
  return equal(coalesce<RelationColumn>(a, otherwise), integer(1))
}

function orZero(choice: RowExpr): RowExpr {
  return choice.kind === 'case' ? { ...choice, otherwise: integer(0) } : choice
}

const scan = (alias: string): Scan => ({
  kind: 'scan',
  object: alias,
  alias,
  source: { kind: 'table', name: alias, schema: undefined, database: undefined },
})
const [own, key, other] = [relationColumn('t', 'u_key', INT), relationColumn('u', 'key', INT), relationColumn('u', 'n', INT)]
const joined = (type: Join['type'], on: Join['on'] = [holds(equal(own, key))]): LogicalPlan => ({
  kind: 'join',
  type,
  left: scan('t'),
  right: scan('u'),
  on,
  label: { from: 't', to: 'u', columns: [], reason: 'a test' },
})
const where = (condition: RowExpr, input: LogicalPlan): LogicalPlan => ({ kind: 'filter', input, condition, reason: 'a test' })
const grouped = (input: LogicalPlan, more: Partial<Aggregate> = {}): Aggregate => ({
  kind: 'aggregate',
  input,
  alias: 'groups',
  keys: [{ name: 'Key', type: INT, expression: key }],
  aggregates: [],
  reason: 'a test',
  ...more,
})
const more: LogicalPlan = {
  kind: 'join',
  type: 'left',
  left: joined('inner'),
  right: scan('v'),
  on: [holds(equal(relationColumn('v', 'key', INT), key))],
  label: { from: 'u', to: 'v', columns: [], reason: 'a test' },
}

const ofTheKey = { ...scan('u'), key: ['key'] }

for (const [title, plan, wanted] of [
  ['the key of the first table', grouped(ofTheKey), true],
  ['that key, with an outer join after it', grouped({ ...more, left: ofTheKey }), true],
  ['the key of a table that an outer join may miss', grouped({ ...more, left: scan('t'), right: ofTheKey }), false],
  ['what an inner join compares', grouped(joined('inner')), true],
  ['what an inner join compares, with an outer join after it', grouped(more), true],
  ['what a condition compares', grouped(where(binary('>', key, integer(1)), joined('left'))), true],
  ['what an outer join compares', grouped(joined('left')), false],
  ['what an inner join does not read', grouped(joined('inner', [holds(equal(own, other))])), false],
  ['what may be NULL by a condition', grouped(where(isNull(key), joined('left'))), false],
  ['a key that some levels do not have', grouped(joined('inner'), { sets: [['Key'], []] }), false],
  ['a computed key', grouped(joined('inner'), { keys: [{ name: 'Key', type: INT, expression: isNull(key) }] }), false],
  ['a relation that is no aggregation', joined('inner'), false],
] as const)
  t.test(`${title} is ${wanted ? 'never' : 'perhaps'} NULL`, async (t) => {
    t.equal(isNeverNull(plan, 'Key'), wanted)
  })

t.test('a condition that only requires a column', async (t) => {
  const present = isNotNull<RelationColumn>(a)
  t.ok(isPresence(present))
  t.notOk(isPresence(isNull<RelationColumn>(a)))
  t.notOk(isPresence(not(is1(a))), 'a value is refused')
  t.notOk(isPresence({ kind: 'unary', operator: '-', operand: isNull<RelationColumn>(a) }))
  t.notOk(isPresence(isNotNull<RelationColumn>(call('abs', a))), 'a value that is computed from it')
  t.same([isPresenceOf(present, a), isPresenceOf(present, b), isPresenceOf(is1(a), a)], [true, false, false])
})
