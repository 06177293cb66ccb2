/** Which joins a condition makes inner ones: a relation whose absence leaves it unmet. */
import t from 'tap'
import { INT } from '../model/data-type.js'
import { binary, call, coalesce, integer, isNotNull, isNull, not, onlyWhere } from '../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { neededBy } from './needed-relations.js'

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
