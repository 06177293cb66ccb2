import { DATE } from '../model/data-type.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { objectOf, type ResolvedDimension } from './resolved-query.js'

/** The day in place of the number of a period that only a table of days knows; any other time unchanged. Conditions are on days. */
export function dayOfTable(time: ResolvedDimension, model: SemanticModel): ResolvedDimension {
  if (!time.ofTable) return time
  const { ofTable: _, periodColumns: __, ...plain } = time
  const [{ via }] = time.members
  const { calendar: object } = time.ofTable
  const column = objectOf(model, object).calendar!.key
  const name = `${object}.${column}`
  return {
    ...plain,
    label: name,
    grain: undefined,
    members: [{ name, object, via, expression: { kind: 'column', object, column }, type: DATE }],
  }
}
