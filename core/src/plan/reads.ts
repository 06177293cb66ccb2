import { leavesOf } from '../model/expression/ast.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import { expressionsIn } from './expressions-in.js'
import { inputsOf } from './inputs.js'
import type { LogicalPlan } from './logical-plan.js'

/** Whether a plan may read a column of an object. */
export type Reads = (object: string, name: string) => boolean

/** By the objects of the relations that are rows of them. A column without a relation may be one of any of these. */
export function readsOf(plan: LogicalPlan, scans: ReadonlyMap<string, string>): Reads {
  const columns = new Map<string, Set<string>>()
  const note = ({ table, name }: RelationColumn): void => {
    const object = scans.get(table) ?? ''
    const known = columns.get(object)
    if (known) known.add(name)
    else columns.set(object, new Set([name]))
  }
  const visit = (part: LogicalPlan): void => {
    for (const expression of expressionsIn(part)) for (const leaf of leavesOf<RelationColumn>(expression)) note(leaf)
    for (const input of inputsOf(part)) visit(input)
  }
  visit(plan)
  const isRead = (object: string, name: string): boolean => columns.get(object)?.has(name) === true
  return (object, name) => isRead(object, name) || isRead('', name)
}
