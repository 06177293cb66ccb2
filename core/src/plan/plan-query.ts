import type { BoundQuery, BoundRowSet } from '../bind/bound-query.js'
import { planAggregate } from './aggregate-query.js'
import { askedKeys } from './asked-keys.js'
import { planBehind } from './behind.js'
import { planDimensionRows, planExclude } from './dimension-queries.js'
import { planGrouped } from './grouped-query.js'
import type { LogicalPlan } from './logical-plan.js'
import { planRaw } from './raw-query.js'
import { uniquelyNamed } from './unique-names.js'

/** Capabilities of an engine that determine which plan is better. */
export interface PlanFor {
  readonly groupingSets: boolean
  /** A key of grouping sets may be an expression. */
  readonly groupedExpressions: boolean
  /** The set without keys has a row, even over no rows. */
  readonly emptySets: boolean
  /** Two keys of grouping sets may be one column, at least if they are columns of a derived table. */
  readonly repeatedKeys: boolean
  /** A subquery that a statement reads twice is computed once. */
  readonly keepsTables: boolean
  /** The frame of a window may begin an interval before each row. */
  readonly rangeFrames: boolean
  /** The engine hashes a join by equality, instead of comparing every row with every other. */
  readonly hashJoins: boolean
  /** Limiting the rows of a table to the keys of another fact is no faster than grouping all of them. */
  readonly passesKeys: boolean
}

/** The shape of the computation. It uses no join graph and no model, and cannot fail. */
export function planQuery({ rows, limit, offset, top, tables }: BoundQuery, engine: PlanFor): LogicalPlan {
  const chosen = top && {
    name: 'top_values',
    values: limited(planAggregate(top.rows, engine), top.n, undefined),
  }
  const input = limited(planRows(rows, engine), limit, offset)
  const plan: LogicalPlan = chosen ? { kind: 'chosen', ...chosen, input } : input
  return uniquelyNamed(engine.keepsTables ? askedKeys(plan, engine) : plan, tables)
}

const limited = (input: LogicalPlan, limit: number | undefined, offset: number | undefined): LogicalPlan =>
  limit === undefined && offset === undefined ? input : { kind: 'limit', input, limit, offset }

function planRows(rows: BoundRowSet, engine: PlanFor): LogicalPlan {
  switch (rows.kind) {
    case 'aggregate':
      return planAggregate(rows, engine)
    case 'grouped':
      return planGrouped(rows, engine)
    case 'exclude':
      return planExclude(rows)
    case 'raw':
      return planRaw(rows)
    case 'behind':
      return planBehind(rows)
    case 'dimension-rows':
      return planDimensionRows(rows)
  }
}
