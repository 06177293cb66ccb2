/** Access rules: which objects have rows that policies remove, and the model for one principal. */
import { nearest } from '../nearest.js'
import type { DataObject, Join, Restriction, SemanticModel, StaticFilter } from './semantic-model.js'

/** Keys that are almost `access`: rules below them would protect nothing. */
export const nearAccess = (written: object): readonly string[] =>
  Object.keys(written).filter((key) => key !== 'access' && nearest(key, ['access']).length > 0)

/** The role of administrators. No policy exempts it unless it says so. */
export const ADMIN_ROLE = 'admin'

/** In place of an attribute: the name of the principal. */
export const PRINCIPAL_NAME = 'principal.name'

/** Whether statements, plans, tables and the text of the model are withheld from those whose view this is. */
export const withholdsSql = ({ restriction }: Pick<SemanticModel, 'restriction'>): boolean => restriction?.withholdsSql === true

type Declared = Pick<SemanticModel, 'dataObjects'>

/** The objects of which policies remove rows: those that they name, and all that lead there by primary joins. */
export function restrictedObjects(
  { dataObjects }: Declared,
  rows: readonly Pick<StaticFilter, 'dataObject'>[],
): ReadonlySet<string> {
  const found = new Set(rows.map(({ dataObject }) => dataObject))
  const joins = [...dataObjects.values()].flatMap((object) => [...object.joins.flatMap(leadingTo), ...ofClosure(object)])
  for (const object of found) for (const [from, to] of joins) if (to === object) found.add(from)
  return found
}

/** By object, the objects on which policies are that remove rows of it. */
export function boundBy(
  declared: Declared,
  rows: readonly Pick<StaticFilter, 'dataObject'>[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const on of new Set(rows.map(({ dataObject }) => dataObject)))
    for (const name of restrictedObjects(declared, [{ dataObject: on }])) found.set(name, [...(found.get(name) ?? []), on])
  return found
}

/** A pair is of two rows that are left, whatever its object joins. */
const ofClosure = ({ name, closure }: DataObject): readonly (readonly [string, string])[] =>
  closure ? [[name, closure.dataObject]] : []

/** The steps of a join by which a row leads to one other. */
function leadingTo({ from, to, cardinality, secondary }: Join): readonly (readonly [string, string])[] {
  if (secondary || cardinality === 'many-to-many') return []
  return cardinality === 'one-to-one'
    ? [
        [from, to],
        [to, from],
      ]
    : [[from, to]]
}

/** The model as these policies leave it: a join that always finds a row in the data may find none that is left. */
export const restrictedModel = (model: SemanticModel, restriction: Omit<Restriction, 'removesFrom'>): SemanticModel => ({
  ...model,
  restriction: { ...restriction, removesFrom: restrictedObjects(model, restriction.rows) },
})
