import { lastOf } from '../invariant.js'
import { FLOAT } from '../model/data-type.js'
import { comparedOf } from '../model/join-term.js'
import type { DataObject, Join, SemanticModel } from '../model/semantic-model.js'
import { binary, call, literal } from '../resolve/expressions.js'
import { joinGraph } from '../resolve/join-graph.js'
import type { SqlExpr } from '../sql/statement.js'
import { baseRows } from './base-rows.js'
import { type Groups, offGroups } from './off-groups.js'
import type { WeightReport } from './report.js'
import { aggregate, item, part, present, select } from './sql-parts.js'
import type { VerifyContext } from './verify-context.js'

/** Rounded weights, such as thirds, add up to nearly one. */
const NEARLY = 0.001

/** The joins of a weighted bridge to objects that facts reach: there its weights must add up to one. */
export function weightedSides({ name, joins }: DataObject, model: SemanticModel): readonly Join[] {
  const graph = joinGraph(model, [])
  const sides = joins.filter((join) => !join.secondary && join.cardinality === 'many-to-one')
  const isOfFacts = ({ to }: Join): boolean =>
    [...model.dataObjects.values()].some((o) => !o.bridge && o.name !== to && o.name !== name && graph.reach(o.name).has(to))
  return sides.filter(isOfFacts)
}

/** One statement: the weights of each row on one side of a bridge, and those that do not add up. */
export async function verifyWeights(bridge: DataObject, side: Join, context: VerifyContext): Promise<WeightReport> {
  const ref = (name: string) => ({ kind: 'column' as const, object: bridge.name, column: name })
  const columns = comparedOf(side.on, 'from')
  const wanted = [
    ...columns.map((name, i) => ({ name: `link_${i + 1}`, expression: ref(name) })),
    { name: 'weight', expression: ref(bridge.weight!) },
  ]
  const base = baseRows({ object: bridge.name, name: 'bridge_rows', wanted }, context)
  const links = base.columns.slice(0, -1)
  const weight: SqlExpr = { kind: 'cast', operand: lastOf(base.columns).read, type: FLOAT }
  const total = call<never>('coalesce', aggregate('sum', [weight], FLOAT) as never, literal(0, FLOAT)) as SqlExpr
  const sums = select([...links.map((l) => item(l.name, l.read, l.type)), item('total', total, FLOAT)], part(base.name), {
    where: present(links.map((l) => l.read)),
    groupBy: links.map((l) => l.read),
  })
  const isOff: Groups['isOff'] = (read) =>
    binary('>', call('abs', binary('-', read('total', FLOAT), literal(1, FLOAT))), literal(NEARLY, FLOAT))
  const found = await offGroups({ ctes: base.ctes, query: sums, keys: links, isOff }, context)
  return { bridge: bridge.name, to_object: side.to, columns, weight: bridge.weight!, ...found }
}
