/** What a condition says of a row without a value: as SQL, with three answers, and `undefined` where the form says nothing. */
import t from 'tap'
import { INT } from '../../model/data-type.js'
import type { Expr } from '../../model/expression/ast.js'
import { binary, call, FALSE, integer, isNotNull, isNull, not, nullOf, TRUE } from '../../resolve/expressions.js'
import type { FieldLeaf, WhereLeaf } from '../../resolve/resolved-query.js'
import { truthOfNull } from './null-truth.js'

const field: FieldLeaf = {
  kind: 'where-field',
  members: [{ name: 'Id', object: 'Orders', via: undefined, expression: integer(0), type: INT }],
  type: INT,
  name: 'Id',
}
const compared = binary<WhereLeaf>('=', field, integer(1))
const listed: Expr<WhereLeaf> = { kind: 'in', operand: field, list: [integer(1)] }
const computed = binary<WhereLeaf>('+', field, integer(1))
const [none, some] = [isNull<WhereLeaf>(field), isNotNull<WhereLeaf>(field)]
const and = (a: Expr<WhereLeaf>, b: Expr<WhereLeaf>) => binary<WhereLeaf>('and', a, b)
const or = (a: Expr<WhereLeaf>, b: Expr<WhereLeaf>) => binary<WhereLeaf>('or', a, b)

const CASES: readonly (readonly [title: string, condition: Expr<WhereLeaf>, truth: boolean | null | undefined])[] = [
  ['a comparison is unknown', compared, null],
  ['so is a list', listed, null],
  ['a test for NULL is true', none, true],
  ['its opposite is false', some, false],
  ['the opposite of unknown is unknown', not<WhereLeaf>(compared), null],
  ['a constant is itself', TRUE, true],
  ['a constant is itself, false', FALSE, false],
  ['a constant without a truth', nullOf(INT), undefined],
  ['true and unknown', and(none, compared), null],
  ['unknown and true', and(compared, none), null],
  ['false decides a conjunction', and(some, compared), false],
  ['on the right, too', and(compared, some), false],
  ['both are true', and(none, none), true],
  ['true decides a disjunction', or(none, compared), true],
  ['to the right, too', or(compared, none), true],
  ['unknown or false', or(compared, some), null],
  ['both are false', or(some, some), false],
  ['a part of another form', and(some, call<WhereLeaf>('f', field)), undefined],
  ['a part of another form before', or(call<WhereLeaf>('f', field), none), undefined],
  ['a function may turn NULL into anything', binary<WhereLeaf>('=', computed, integer(1)), undefined],
  ['a list of such values', { kind: 'in', operand: computed, list: [integer(1)] }, undefined],
  ['NULL of such a value', isNull<WhereLeaf>(computed), undefined],
  ['a sign is no condition', { kind: 'unary', operator: '-', operand: none }, undefined],
  ['a field by itself', field, undefined],
]

for (const [title, condition, truth] of CASES) t.test(title, async (t) => t.equal(truthOfNull(condition), truth))
