import t from 'tap'
import { INT } from '../model/data-type.js'
import { binary, integer, isNull } from '../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { Aggregate, Join, LogicalPlan, Scan } from './logical-plan.js'
import { isNeverNull } from './never-null.js'

const scan = (alias: string): Scan => ({
  kind: 'scan',
  object: alias,
  alias,
  source: { kind: 'table', name: alias, schema: undefined, database: undefined },
})
const [own, key, other] = [relationColumn('t', 'u_key', INT), relationColumn('u', 'key', INT), relationColumn('u', 'n', INT)]
const joined = (type: Join['type'], on: RowExpr | undefined = binary('=', own, key)): LogicalPlan => ({
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
  on: binary('=', relationColumn('v', 'key', INT), key),
  label: { from: 'u', to: 'v', columns: [], reason: 'a test' },
}

for (const [title, plan, wanted] of [
  ['what an inner join compares', grouped(joined('inner')), true],
  ['what an inner join compares, with an outer join after it', grouped(more), true],
  ['what a condition compares', grouped(where(binary('>', key, integer(1)), joined('left'))), true],
  ['what an outer join compares', grouped(joined('left')), false],
  ['what an inner join does not read', grouped(joined('inner', binary('=', own, other))), false],
  ['what may be NULL by a condition', grouped(where(isNull(key), joined('left'))), false],
  ['a key that some levels do not have', grouped(joined('inner'), { sets: [['Key'], []] }), false],
  ['a computed key', grouped(joined('inner'), { keys: [{ name: 'Key', type: INT, expression: isNull(key) }] }), false],
  ['a relation that is no aggregation', joined('inner'), false],
] as const)
  t.test(`${title} is ${wanted ? 'never' : 'perhaps'} NULL`, async (t) => {
    t.equal(isNeverNull(plan, 'Key'), wanted)
  })
