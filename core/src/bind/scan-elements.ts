import { entryOf } from '../invariant.js'
import type { Column, DataObject, SemanticModel } from '../model/semantic-model.js'
import { typeOfTrueValues } from '../model/true-values.js'
import { objectOf } from '../resolve/resolved-query.js'
import type { Elements, Scan } from './bound-block.js'

type NestedIn = NonNullable<DataObject['nestedIn']>

/** The elements of a nested array as rows, each with the key of its row. */
export const scanElements = (object: DataObject, nestedIn: NestedIn, alias: string, model: SemanticModel): Scan => ({
  kind: 'scan',
  object: object.name,
  alias,
  ...elementsOf(object, nestedIn, model),
})

/** The database type of an array, if the model declares it; an array inside an array is stored like the outer one. */
export function arrayType({ dataObject, column }: NestedIn, model: SemanticModel): string | undefined {
  const { columns, nestedIn } = objectOf(model, dataObject)
  return entryOf(columns, column).sqlType ?? (nestedIn && arrayType(nestedIn, model))
}

function elementsOf(
  object: DataObject,
  nestedIn: NestedIn,
  model: SemanticModel,
): Pick<Scan, 'source'> & { readonly elements: Elements } {
  const parent = objectOf(model, nestedIn.dataObject)
  const around = parent.nestedIn && elementsOf(parent, parent.nestedIn, model)
  const codes = (of: DataObject, names: readonly string[]) => names.map((name) => codeOf(entryOf(of.columns, name)))
  const own = codes(object, object.key.slice(0, parent.key.length))
  const physical = [...object.columns.values()].filter((c) => c.source.kind === 'physical')
  const fields = new Map(physical.map((c) => [codeOf(c), c.trueValues ? typeOfTrueValues(c.trueValues) : c.type]))
  for (const code of own) fields.delete(code)
  const array = entryOf(parent.columns, nestedIn.column)
  return {
    source: around?.source ?? parent.source,
    elements: {
      ...(around && { within: around.elements }),
      array: codeOf(array),
      sqlType: arrayType(nestedIn, model),
      key: codes(parent, parent.key).map((code, i) => ({ code, as: own[i]! })),
      // In a fixed order, independent of the declaration of columns.
      fields: [...fields.keys()].sort().map((code) => ({ code, type: entryOf(fields, code) })),
    },
  }
}

const codeOf = ({ source, name }: Column): string => (source.kind === 'physical' ? source.code : name)
