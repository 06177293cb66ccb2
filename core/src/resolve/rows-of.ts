import type { SemanticModel } from '../model/semantic-model.js'
import type { QueryObject } from '../query/query-object.js'
import { find, unknownName } from './lookup.js'

/** The data object whose tuples are rows of the answer. Throws `UNKNOWN_DATA_OBJECT`. */
export function resolveRowsOf({ rows_of: name }: QueryObject, { dataObjects }: SemanticModel): string | undefined {
  if (name === undefined) return undefined
  const found = find(name, dataObjects)
  const unknown = { name, what: 'not a data object of this model', known: dataObjects.keys() }
  return found ? found.name : unknownName('UNKNOWN_DATA_OBJECT', unknown, 'rows_of')
}
