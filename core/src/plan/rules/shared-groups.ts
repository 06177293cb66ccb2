import { columnsOf } from '../columns.js'
import type { LogicalPlan, Shared } from '../logical-plan.js'

/** The groups of an answer as a relation that is read several times. */
export const sharedGroups = (rows: LogicalPlan): Shared =>
  rows.kind === 'shared' ? rows : { kind: 'shared', alias: 'groups', input: rows, columns: columnsOf(rows) }
