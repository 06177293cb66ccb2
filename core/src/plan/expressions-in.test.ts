/** The expressions of a node: those that are mapped, and no others. */
import t from 'tap'
import {
  above,
  aggregate,
  column,
  distinct,
  filter,
  joinTo,
  limited,
  lookup,
  named,
  project,
  scan,
  sumOf,
} from '../../../test/support/plans.js'
import { said } from '../../../test/support/said.js'
import { DATE, INT } from '../model/data-type.js'
import { equal, holds } from '../resolve/row-terms.js'
import { expressionsIn } from './expressions-in.js'
import type { LogicalPlan, NamedWindow } from './logical-plan.js'
import { mapExpressions } from './map-expressions.js'

/** A new column each time, so that a place which is left out is missed. */
let count = 0
const next = () => column('t', `c${++count}`)
const key = () => ({ expression: next(), type: DATE, descending: false, nullsFirst: false })
const below = filter(scan('t'), above(next()))
const call = (): NamedWindow => ({
  name: 'x',
  type: INT,
  function: 'sum',
  args: [next(), next()],
  partitionBy: [next()],
  orderBy: [key()],
})

const listed = (plan: LogicalPlan): readonly string[] => expressionsIn(plan).map(said).toSorted()
function mapped(plan: LogicalPlan): readonly string[] {
  const found: string[] = []
  mapExpressions(plan, (expression) => {
    found.push(said(expression))
    return expression
  })
  return found.toSorted()
}

const end = () => ({ at: next(), isOpen: false, isIncluded: true })
const nodes: Readonly<Record<string, LogicalPlan>> = {
  filter: filter(below, above(next())),
  'join by equality': joinTo(below, 'v', next()),
  'join on a condition': joinTo(below, 'v', next(), { on: [equal(next(), next()), holds(above(next()))] }),
  'join within an interval': joinTo(below, 'v', next(), {
    on: [{ kind: 'within', interval: 'from', value: next(), start: end(), end: end() }],
  }),
  'join to the nearest': joinTo(below, 'v', next(), {
    on: [
      {
        kind: 'as-of',
        value: next(),
        at: next(),
        found: 'to',
        direction: 'backward',
        within: undefined,
        ties: [next()],
        zone: undefined,
      },
    ],
  }),
  project: project(below, [named('x', next()), named('y', next())]),
  distinct: distinct(below, [named('x', next())]),
  aggregate: aggregate(
    below,
    [named('k', next())],
    [sumOf('x', next(), { orderBy: [key()], filter: next(), onlyWith: next() }), sumOf('y', next())],
  ),
  lookup: lookup(below, scan('v'), [], { keys: [{ own: next(), theirs: 'Key', type: INT, nullSafe: true }] }),
  window: {
    kind: 'window',
    alias: 'w',
    input: below,
    columns: [named('c', next())],
    calls: [{ ...call(), where: next() }, call()],
  },
  sort: { kind: 'sort', input: below, keys: [key(), key()] },
  limit: limited(below),
  scan: scan('t'),
}

for (const [name, plan] of Object.entries(nodes))
  t.test(name, async (t) => {
    t.same(listed(plan), mapped(plan))
    t.equal(listed(plan).length > 0, name !== 'limit' && name !== 'scan')
  })
