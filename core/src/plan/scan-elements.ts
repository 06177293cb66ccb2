import type { Column, DataObject, SemanticModel } from '../model/semantic-model.js'
import { objectOf } from '../resolve/resolved-query.js'
import type { LogicalPlan } from './logical-plan.js'

/** The elements of a nested array as rows, each with the key of the row that it is in. */
export function scanElements(
  object: DataObject,
  { dataObject, column }: NonNullable<DataObject['nestedIn']>,
  alias: string,
  model: SemanticModel,
): LogicalPlan {
  const parent = objectOf(model, dataObject)
  const codes = (of: DataObject, names: readonly string[]) => names.map((name) => codeOf(of.columns.get(name)!))
  const own = codes(object, object.key.slice(0, parent.key.length))
  const physical = [...object.columns.values()].filter((c) => c.source.kind === 'physical')
  const fields = new Map(physical.map((c) => [codeOf(c), c.type]))
  for (const code of own) fields.delete(code)
  const array = parent.columns.get(column)!
  return {
    kind: 'scan',
    object: object.name,
    source: parent.source,
    alias,
    elements: {
      array: codeOf(array),
      sqlType: array.sqlType,
      key: codes(parent, parent.key).map((code, i) => ({ code, as: own[i]! })),
      fields: [...fields].map(([code, type]) => ({ code, type })),
    },
  }
}

const codeOf = ({ source, name }: Column): string => (source.kind === 'physical' ? source.code : name)
