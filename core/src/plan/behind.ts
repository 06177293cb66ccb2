import { semiAdditiveKeys } from '../bind/block-request.js'
import type { BoundBlock, NamedExpr } from '../bind/bound-block.js'
import type { BoundBehind } from '../bind/bound-query.js'
import { INT } from '../model/data-type.js'
import { mapLeaves } from '../model/expression/ast.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { ascending, type Output } from '../resolve/resolved-query.js'
import { isSame } from '../same.js'
import { displayed } from './answer.js'
import { type BlockRows, planBlockRows } from './block.js'
import { type LogicalPlan, type NamedAggregate, plainAggregate, sameColumn } from './logical-plan.js'
import { atTakenTime, takenAndSummed } from './semi-additive.js'

/** The rows from which a measure's value in a cell was aggregated. `value` aggregates exactly these rows again. */
export function planBehind({ block, outputs, ties, shows }: BoundBehind): LogicalPlan {
  const rows = planBlockRows(block)
  const counted = countedRows(rows, block)
  switch (shows) {
    case 'count':
      return made(oneRow(counted, [plainAggregate('rows', 'count', [], INT)], 'cell'), outputs)
    case 'value':
      return made(aggregated(rows, counted, block), outputs)
    case 'rows': {
      const [shown, order] = [outputs, ties].map((all) =>
        all.map((o) => ({ ...o, expression: carried(o.expression, rows.columns.slice(block.groupBy.length)) })),
      )
      const keys = order!.map(({ expression, type }) => ascending(expression, type))
      return made(keys.length > 0 ? { kind: 'sort', input: counted, keys } : counted, shown!)
    }
  }
}

/** The column of the rows that contains a value of their block; the value itself if there is none. */
function carried(expression: RowExpr, columns: readonly NamedExpr[]): RowExpr {
  const column = columns.find((c) => isSame(c.expression, expression))
  return column ? relationColumn('', column.name, column.type) : expression
}

const made = (input: LogicalPlan, outputs: readonly Output[]): LogicalPlan => ({
  kind: 'project',
  input,
  alias: 'answer',
  columns: displayed(outputs, (expression) => expression),
})

/** The rows that provide the values of the number: for a balance, those of the selected time of each entity. */
function countedRows(rows: BlockRows, { semiAdditive }: BoundBlock): LogicalPlan {
  if (semiAdditive?.take !== 'first' && semiAdditive?.take !== 'last') return rows.plan
  const { time, per, take } = semiAdditive
  const groups = rows.columns.filter((c) => per.some((d) => d.name === c.name))
  const columns = rows.columns.map((c) => sameColumn(c))
  return atTakenTime({ input: rows.plan, columns }, { time, take, per: groups, by: 'rank' })
}

const oneRow = (input: LogicalPlan, aggregates: readonly NamedAggregate[], alias: string): LogicalPlan => ({
  kind: 'aggregate',
  input,
  alias,
  keys: [],
  aggregates,
  reason: 'the rows of the cell together',
})

/** The rows, aggregated as the measure defines. */
function aggregated(rows: BlockRows, counted: LogicalPlan, block: BoundBlock): LogicalPlan {
  const aggregates = rows.aggregates.map((a) => ofOneRelation(a))
  const { semiAdditive, dimensions } = block
  if (!semiAdditive) return oneRow(counted, aggregates, 'cell')
  const inner: LogicalPlan = {
    kind: 'aggregate',
    input: counted,
    alias: 'cell_times',
    keys: [...dimensions, ...semiAdditiveKeys(semiAdditive)].map((d) => sameColumn(d)),
    aggregates,
    reason: 'each entity in each time',
  }
  return takenAndSummed(inner, { ...block, groups: dimensions, semiAdditive }, 'cell')
}

/** The aggregate with its columns read from the only relation below, without its name. */
function ofOneRelation(aggregate: NamedAggregate): NamedAggregate {
  return {
    ...aggregate,
    args: aggregate.args.map(unnamed),
    orderBy: aggregate.orderBy.map((key) => ({ ...key, expression: unnamed(key.expression) })),
  }
}

const unnamed = (expression: RowExpr): RowExpr =>
  mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) => relationColumn('', leaf.name, leaf.type))
