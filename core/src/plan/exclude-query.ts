import { mapLeaves } from '../model/expression/ast.js'
import { binary, isNotNull, isNull } from '../resolve/expressions.js'
import { reachesAll } from '../resolve/locate.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { DimensionQuery, ResolvedDimension } from '../resolve/resolved-query.js'
import { planBlock } from './block.js'
import { conjunctsFor, type FilterReport } from './filter-report.js'
import { type LogicalPlan, sameColumn } from './logical-plan.js'
import { displayed, type Planned, type PlannedLeg, sorted } from './planned.js'
import type { RowsContext } from './rows-context.js'
import { tupleHomes, tupleLegs, unite } from './tuples.js'

/** The product of each dimension's values, minus the tuples that occur. */
export function planExclude(query: DimensionQuery, context: RowsContext, report: FilterReport): Planned {
  const values = query.dimensions.map((d): { plan: LogicalPlan; column: RelationColumn } => {
    const alias = context.aliases.derived(d.label, '_values')
    const legs = valueLegs(d, query, context)
    const tuples = unite([d], legs, context)
    const present: LogicalPlan = {
      kind: 'filter',
      input: tuples,
      condition: isNotNull(relationColumn('', d.name, d.type)),
      reason: 'NULL is no value to combine',
    }
    const columns = [sameColumn(d)]
    return {
      plan: { kind: 'project', input: present, alias, columns, stage: true },
      column: relationColumn(alias, d.name, d.type),
    }
  })
  const label = { from: '', to: '', columns: [], reason: 'every combination of the values' }
  const product = values
    .slice(1)
    .reduce<LogicalPlan>(
      (left, v) => ({ kind: 'join', type: 'cross', left, right: v.plan, on: undefined, label }),
      values[0]!.plan,
    )
  const legs = tupleLegs(query.dimensions, query, context, report)
  const alias = context.aliases.derived('occurring')
  const occurring: LogicalPlan = {
    kind: 'project',
    input: unite(query.dimensions, legs, context),
    alias,
    columns: query.dimensions.map((d) => sameColumn(d)),
    stage: true,
  }
  const on = query.dimensions.map((d, i) => binary('=', values[i]!.column, relationColumn(alias, d.name, d.type)))
  const found = isNull(relationColumn(alias, query.dimensions[0]!.name, query.dimensions[0]!.type))
  const joined: LogicalPlan = {
    kind: 'join',
    type: 'left',
    left: product,
    right: occurring,
    on: on.reduce((a, b) => binary('and', a, b)),
    label: { ...label, reason: 'looked up among the combinations that occur' },
  }
  const input: LogicalPlan = { kind: 'filter', input: joined, condition: found, reason: 'combinations that never occur' }
  const read = (expression: RowExpr): RowExpr =>
    mapLeaves<RelationColumn, RelationColumn>(
      expression,
      (leaf) => values.find((v) => v.column.name === leaf.name)?.column ?? leaf,
    )
  const columns = displayed(query.outputs, read)
  return {
    plan: { kind: 'project', input: sorted(input, query.order, read), alias: 'answer', columns },
    columns: query.outputs,
    homes: legs.map((l) => l.home),
  }
}

/** The values of one dimension, restricted only by conjuncts whose every field its object reaches directly. */
function valueLegs(dimension: ResolvedDimension, query: DimensionQuery, context: RowsContext): PlannedLeg[] {
  return tupleHomes([dimension], query).map((home): PlannedLeg => {
    const name = context.aliases.derived(home, '_tuples')
    const direct = query.where.filter((c) => reachesAll(home, c.leaves, query.graph))
    const { conjuncts } = conjunctsFor(home, { ...query, where: direct }, undefined, '')
    const request = {
      home,
      atoms: [],
      dimensions: [dimension],
      conjuncts,
      bridges: new Set<string>(),
      apart: new Set<string>(),
      bridgeFilters: [],
      fanOut: false,
    }
    return { input: planBlock(request, context, name), name, present: true, values: [], home }
  })
}
