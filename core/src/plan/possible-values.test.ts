/** What is known of a condition's value: if it cannot be true, a row is not kept. Each law holds for every value that the columns can have. */
import t from 'tap'
import { INT, STRING } from '../model/data-type.js'
import { allOf, anyOf, binary, call, coalesce, integer, isNotNull, isNull, literal, not, text } from '../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { ANYTHING, canBeTrue, known, NULL, type Possible, possible } from './possible-values.js'

/** A column that is always NULL, one that is 0, one that is 0 or NULL, one that is never NULL, and one that may be anything. */
const VALUES: Readonly<Record<string, Possible>> = {
  absent: NULL,
  zero: known(0),
  maybe: { mayBeNull: true, value: { is: 0 } },
  some: { mayBeNull: false, value: 'any' },
  any: ANYTHING,
}
const [absent, zero, maybe, some, any] = ['absent', 'zero', 'maybe', 'some', 'any'].map((name) =>
  relationColumn('', name, INT),
) as [RelationColumn, RelationColumn, RelationColumn, RelationColumn, RelationColumn]
const of = ({ name }: RelationColumn): Possible => VALUES[name] ?? ANYTHING
const compare = (operator: Parameters<typeof binary>[0], left: RowExpr, right: RowExpr): RowExpr => binary(operator, left, right)
const when = (condition: RowExpr, then: RowExpr, otherwise?: RowExpr): RowExpr => ({
  kind: 'case',
  branches: [{ when: condition, then }],
  otherwise,
})
const TRUE = known(true)
const FALSE = known(false)
const UNKNOWN = { mayBeNull: false, value: 'any' }

for (const [title, expression, wanted] of [
  ['a NULL', literal(null, INT), NULL],
  ['a number', integer(3), known(3)],
  ['a text, which only engines compare', text('a'), UNKNOWN],
  ['a number that is no exact double', literal(2 ** 53, INT), UNKNOWN],
  ['a comparison with NULL', compare('>', absent, integer(1)), NULL],
  ['a comparison of NULL with a text', compare('=', text('a'), absent), NULL],
  ['0 = 0', compare('=', zero, integer(0)), TRUE],
  ['0 <> 0', compare('<>', zero, integer(0)), FALSE],
  ['0 <> 1', compare('<>', zero, integer(1)), TRUE],
  ['0 < 0', compare('<', zero, integer(0)), FALSE],
  ['0 < 1', compare('<', zero, integer(1)), TRUE],
  ['0 <= 0', compare('<=', zero, integer(0)), TRUE],
  ['0 <= -1', compare('<=', zero, integer(-1)), FALSE],
  ['0 > 0', compare('>', zero, integer(0)), FALSE],
  ['0 > -1', compare('>', zero, integer(-1)), TRUE],
  ['0 >= 0', compare('>=', zero, integer(0)), TRUE],
  ['0 >= 1', compare('>=', zero, integer(1)), FALSE],
  ['0 or NULL, > 0', compare('>', maybe, integer(0)), { mayBeNull: true, value: { is: false } }],
  ['a number > 0', compare('>', some, integer(0)), UNKNOWN],
  ['anything > 0', compare('>', any, integer(0)), ANYTHING],
  ['NULL is NULL', isNull(absent), TRUE],
  ['0 is NULL', isNull(zero), FALSE],
  ['0 or NULL, is NULL', isNull(maybe), UNKNOWN],
  ['NULL is not NULL', isNotNull(absent), FALSE],
  ['0 is not NULL', isNotNull(zero), TRUE],
  ['not NULL', not(absent), NULL],
  ['not true', not(compare('=', zero, integer(0))), FALSE],
  ['not false', not(compare('=', zero, integer(1))), TRUE],
  ['the negative of NULL', { kind: 'unary', operator: '-', operand: absent }, NULL],
  ['the negative of a number', { kind: 'unary', operator: '-', operand: zero }, UNKNOWN],
  ['true and NULL', allOf([isNull(absent), not(absent)])!, NULL],
  ['false and NULL', allOf([isNull(zero), not(absent)])!, FALSE],
  ['NULL and false', allOf([not(absent), isNull(zero)])!, FALSE],
  ['false or NULL', anyOf([isNull(zero), not(absent)]), NULL],
  ['true or NULL', anyOf([isNull(absent), not(absent)]), TRUE],
  ['NULL or true', anyOf([not(absent), isNull(absent)]), TRUE],
  ['anything and false', allOf([any, isNull(zero)])!, FALSE],
  ['anything or true', anyOf([any, isNull(absent)]), TRUE],
  ['anything and true', allOf([any, isNull(absent)])!, ANYTHING],
  ['NULL and anything', allOf([not(absent), any])!, { mayBeNull: true, value: { is: false } }],
  ['NULL + 1', compare('+', absent, integer(1)), NULL],
  ['0 + 1', compare('+', zero, integer(1)), UNKNOWN],
  ['anything - 1', compare('-', any, integer(1)), ANYTHING],
  ['1 / 0', compare('/', integer(1), zero), ANYTHING],
  ['1 / 2', compare('/', integer(1), integer(2)), UNKNOWN],
  ['1 / a number', compare('/', integer(1), some), ANYTHING],
  ['NULL / 2', compare('/', absent, integer(2)), NULL],
  ['a cast of NULL', { kind: 'cast', operand: absent, type: STRING }, NULL],
  ['a cast of a number', { kind: 'cast', operand: zero, type: STRING }, ANYTHING],
  ['NULL in a list', { kind: 'in', operand: absent, list: [integer(1)] }, NULL],
  ['0 in a list', { kind: 'in', operand: zero, list: [integer(1)] }, UNKNOWN],
  ['coalesce of NULL and 0', coalesce<RelationColumn>(absent, zero), known(0)],
  ['coalesce of 0 and 1', coalesce<RelationColumn>(zero, integer(1)), known(0)],
  ['coalesce of 0 or NULL, and 0', coalesce<RelationColumn>(maybe, integer(0)), known(0)],
  ['coalesce of 0 or NULL, and 1', coalesce<RelationColumn>(maybe, integer(1)), UNKNOWN],
  ['coalesce of NULLs', coalesce<RelationColumn>(absent, absent), NULL],
  ['nullif of NULL', call('nullif', absent, integer(1)), NULL],
  ['nullif of 0', call('nullif', zero, absent), ANYTHING],
  ['a function of the catalogue, of NULL', call('abs', absent), NULL],
  ['a function of the catalogue, of 0', call('abs', zero), ANYTHING],
  ['a function of a plugin, of NULL', call('their_own', absent), ANYTHING],
  ['the first branch', when(isNull(absent), integer(1), integer(2)), known(1)],
  ['the default', when(isNull(zero), integer(1), integer(2)), known(2)],
  ['no default', when(isNull(zero), integer(1)), NULL],
  ['a branch whose condition is NULL', when(not(absent), integer(1), integer(2)), known(2)],
  ['one of two branches', when(any, integer(1), integer(2)), UNKNOWN],
  ['the same in both branches', when(any, integer(1), integer(1)), known(1)],
  ['a condition that is true or NULL', when(compare('=', maybe, integer(0)), integer(1), integer(2)), UNKNOWN],
] as const satisfies readonly (readonly [string, RowExpr, object])[])
  t.test(title, async (t) => t.same(possible(expression, of), wanted))

t.test('a condition keeps a row only if it can be true', async (t) => {
  t.ok(canBeTrue(any, of))
  t.ok(canBeTrue(compare('>', any, integer(0)), of))
  t.notOk(canBeTrue(not(absent), of), 'NULL')
  t.notOk(canBeTrue(compare('>', maybe, integer(0)), of), 'NULL or false')
  t.notOk(canBeTrue(integer(1), of), 'a number is no truth')
})
