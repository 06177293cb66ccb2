/** Comparisons with values of access rules, which are written into the statement. */
import t from 'tap'
import { said } from '../../../test/support/said.js'
import { STRING } from '../model/data-type.js'
import type { Operator } from '../model/operators.js'
import type { Held } from '../model/semantic-model.js'
import { heldCondition } from './held-condition.js'
import { relationColumn } from './relation-column.js'

const held = (count?: number) => new Map([['team', { type: STRING, count, form: undefined } as unknown as Held]])
const subject = { expression: relationColumn('', 'x', STRING), type: STRING, grain: undefined, name: 'X' }
const condition = (operator: Operator, values: readonly (string | number | { parameter: string })[], known = held()) =>
  heldCondition(subject, { operator, values, path: 'p' }, known)
const team = { parameter: 'team' }

t.test('one value, several, and none', async (t) => {
  t.equal(said(condition('eq', [team]).expression), '(x = :team)')
  t.equal(said(condition('neq', [team]).expression), 'not (x = :team)')
  t.equal(said(condition('gte', [3]).expression), '(x >= 3)')
  t.equal(said(condition('in', [team, 'a'], held(2)).expression), "x in (:team, :team, 'a')")
  t.equal(said(condition('not_in', [team]).expression), 'not (x = :team)')
  t.equal(said(condition('in', [team], held(0)).expression), 'false')
  t.equal(said(condition('not_in', [team], held(0)).expression), 'true')
  t.equal(said(condition('eq', [team]).unknown!), 'x is null')
})

t.test('what needs the value before is a fault of the caller', async (t) => {
  t.throws(() => condition('contains', [team]), { code: 'INTERNAL_ERROR' })
  t.throws(() => condition('eq', [{ parameter: 'other' }]), { code: 'INTERNAL_ERROR' })
})
