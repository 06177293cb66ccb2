import { lastOf } from '../invariant.js'
import { type DataType, FLOAT, INT } from '../model/data-type.js'
import { comparedOf } from '../model/join-term.js'
import type { DataObject, Join, SemanticModel } from '../model/semantic-model.js'
import { binary, call, integer, literal } from '../resolve/expressions.js'
import { joinGraph } from '../resolve/join-graph.js'
import type { SqlExpr } from '../sql/statement.js'
import { baseRows } from './base-rows.js'
import type { WeightReport } from './report.js'
import { keyAt, numberAt, runStatement } from './run-statement.js'
import { ALWAYS, aggregate, column, item, leftJoin, ordered, part, present, select, sumWhere } from './sql-parts.js'
import type { VerifyContext } from './verify-context.js'
import { MOST_EXAMPLES } from './verify-object.js'

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
  const read = (name: string, type: DataType) => column('sums', name, type)
  const away: SqlExpr = binary('>', call('abs', binary('-', read('total', FLOAT), literal(1, FLOAT))), literal(NEARLY, FLOAT))
  const totals = select(
    [item('groups', aggregate('count', [], INT), INT), item('off', sumWhere(integer(1), [away]), INT)],
    part('sums'),
  )
  const examples = select(
    links.map((l) => item(l.name, read(l.name, l.type), l.type)),
    part('sums'),
    {
      where: [away],
      orderBy: links.map((l) => ordered(read(l.name, l.type), l.type)),
      limit: MOST_EXAMPLES,
    },
  )
  const body = select(
    [
      ...totals.items.map(({ alias, type }) => item(alias, column('totals', alias, type), type)),
      ...examples.items.map(({ alias, type }) => item(alias, column('examples', alias, type), type)),
    ],
    leftJoin(part('totals'), part('examples'), ALWAYS),
  )
  const ctes = [
    ...base.ctes,
    { name: 'sums', query: sums },
    { name: 'totals', query: totals },
    { name: 'examples', query: examples },
  ]
  const rows = await runStatement(ctes, body, context)
  const off = numberAt(rows[0], 'off')
  return {
    bridge: bridge.name,
    to_object: side.to,
    columns,
    weight: bridge.weight!,
    groups: numberAt(rows[0], 'groups'),
    off,
    examples:
      off === 0
        ? []
        : rows.map((row) =>
            keyAt(
              row,
              links.map((l) => l.name),
            ),
          ),
  }
}
