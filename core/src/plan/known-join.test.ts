/** Which joins rules know: by equal columns, and for a join of the model to the rows of a table. */
import t from 'tap'
import { aggregate, column, joinTo, limited, scan } from '../../../test/support/plans.js'
import { binary, integer } from '../resolve/expressions.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import { holds } from '../resolve/row-terms.js'
import { isKnownJoin, isModelJoin } from './known-join.js'
import type { Join } from './logical-plan.js'
import { plainRowsOf } from './plain-rows.js'

const customers = joinTo(scan('Orders'), 'Customers', column('Orders', 'customer'))
const { role: _, ...label } = customers.label
const condition = holds(binary<RelationColumn>('>', column('Customers', 'n'), integer(0)))
const elements = { array: 'a', sqlType: undefined, key: [], fields: [] }

const JOINS: readonly (readonly [title: string, join: Join, ofModel: boolean, known: boolean])[] = [
  ['by an equality', customers, true, true],
  ['by an equality and a condition', { ...customers, on: [...customers.on, condition] }, false, true],
  ['by a condition', { ...customers, on: [condition] }, false, true],
  ['by an interval', { ...customers, on: [{ kind: 'within' } as never] }, false, false],
  ['by an equality and an interval', { ...customers, on: [...customers.on, { kind: 'within' } as never] }, false, false],
  ['that a plan adds', { ...customers, label }, false, true],
  ['to computed rows', { ...customers, right: limited(scan('Customers')) }, false, true],
  ['to elements of an array', { ...customers, right: scan('Customers', { elements }) }, false, true],
]

for (const [title, join, ofModel, known] of JOINS)
  t.test(`a join ${title}: ${ofModel ? '' : 'not '}of the model, ${known ? '' : 'not '}known`, async (t) => {
    t.equal(isModelJoin(join), ofModel)
    t.equal(isKnownJoin(join), known)
    t.equal(plainRowsOf(aggregate(join, [], [])) !== undefined, known, 'rows with it are plain if it is known')
  })
