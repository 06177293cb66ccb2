import { entryOf, itemAt } from '../invariant.js'
import type { DataType } from '../model/data-type.js'
import type { DataObject, SemanticModel } from '../model/semantic-model.js'
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
  const [physical, outer] = [physicalIn(object), physicalIn(parent)]
  const own = object.key.slice(0, parent.key.length).map((name) => entryOf(physical, name).code)
  const fields = new Map([...physical.values()].map(({ code, type }) => [code, type]))
  for (const code of own) fields.delete(code)
  return {
    source: around?.source ?? parent.source,
    elements: {
      ...(around && { within: around.elements }),
      array: entryOf(outer, nestedIn.column).code,
      sqlType: arrayType(nestedIn, model),
      key: parent.key.map((name, i) => ({ code: entryOf(outer, name).code, as: itemAt(own, i) })),
      // In a fixed order, independent of the declaration of columns.
      fields: [...fields.keys()].sort().map((code) => ({ code, type: entryOf(fields, code) })),
    },
  }
}

interface Stored {
  readonly code: string
  readonly type: DataType
}

/** The stored columns by name. An array and the key of its row are stored: the model is refused otherwise. */
const physicalIn = ({ columns }: DataObject): ReadonlyMap<string, Stored> =>
  new Map(
    [...columns.values()].flatMap(({ name, source, trueValues, type }) =>
      source.kind === 'physical' ? [[name, { code: source.code, type: trueValues ? typeOfTrueValues(trueValues) : type }]] : [],
    ),
  )
