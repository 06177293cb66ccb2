/** What must hold among all published models, if one of them has access rules. */
import type { Finding } from '../errors.js'
import { grouped } from '../grouped.js'
import { restrictedObjects } from '../model/access.js'
import { objectsSought } from '../model/columns-read.js'
import { columnKey, hiddenByAll } from '../model/hidden-fields.js'
import { mayShareTable } from '../model/may-share-table.js'
import { readAround } from '../model/read-around.js'
import type { DataObject, SemanticModel } from '../model/semantic-model.js'
import { overlap, placeKey, storedPlace } from '../model/stored-place.js'
import type { Settings } from '../settings/core-variables.js'
import { executionEnabled } from './public-settings.js'

interface Server {
  readonly settings: Settings
  readonly callersAreLocal: boolean
}

/** A published model, and where it comes from. */
export interface Published {
  readonly name: string
  readonly model: SemanticModel
}

/** The reasons why these models cannot be published together on this server. */
export function accessFaults(published: readonly Published[], { settings, callersAreLocal }: Server): readonly Finding[] {
  return published.flatMap((one) => {
    const { access } = one.model
    if (access === undefined) return []
    return [
      ...(settings.AUTH_MODE === 'none' && !callersAreLocal ? [needsKeys(one)] : []),
      ...(!executionEnabled(settings) && access.sql.length === 0 ? [runsNothing(one)] : []),
      ...published
        .filter((other) => other !== one)
        .flatMap((other) => [...tablesAround(one, other), ...columnsAround(one, other)]),
    ]
  })
}

const needsKeys = ({ name }: Published): Finding => ({
  code: 'INVALID_VARIABLE',
  path: 'AUTH_MODE',
  severity: 'error',
  message: `The model '${name}' has access rules, and with AUTH_MODE=none the server does not know who sends a query: set AUTH_MODE=api_key, or listen on loopback addresses only`,
})

const runsNothing = ({ name }: Published): Finding => ({
  code: 'INVALID_VARIABLE',
  path: 'QUERY_EXECUTE',
  severity: 'error',
  message: `The model '${name}' has access rules, and this server runs no queries, so it could only show SQL, which the rules withhold: set QUERY_EXECUTE=true, or list roles in access.sql`,
})

/** The objects of another model that read a table whose rows the policies of this one remove, and that no such policy of theirs binds. */
function tablesAround({ name, model }: Published, other: Published): readonly Finding[] {
  const { dataObjects, rollups } = model
  const rows = model.access?.rows ?? []
  const ruled = {
    dataObjects: other.model.dataObjects,
    rows: other.model.access?.rows ?? [],
    unbound: other.model.access?.unbound ?? [],
  }
  const missed = new Map(
    readAround({ dataObjects, rows, rollups: [...rollups.values()] }, ruled).map((each) => [each.object, each.policyOn]),
  )
  const sought = rows.flatMap(({ condition }) => objectsSought(condition)).flatMap((object) => dataObjects.get(object) ?? [])
  const own = restrictedObjects(other.model, ruled.rows)
  return [...other.model.dataObjects.values()].flatMap((object): readonly Finding[] => {
    if (ruled.unbound.includes(object.name)) return []
    const at = (reads: string, misses: string): readonly Finding[] => [
      {
        code: 'POLICY_MISSES_TABLE',
        path: `dataObjects.${object.name}`,
        severity: 'error',
        message: `'${object.name}' of the model '${other.name}' ${reads}, and no policy of that model ${misses}`,
      },
    ]
    const reads = `reads a table whose rows the policies of '${name}' remove or look for`
    if (own.has(object.name)) {
      const policyOn = missed.get(object.name)
      return policyOn === undefined ? [] : at(reads, `on the table of '${policyOn}' binds it`)
    }
    if (object.source.kind === 'sql') return rows.length > 0 ? at('is SQL text, which may read any table', 'binds it') : []
    return missed.has(object.name) || sought.some((one) => mayShareTable(one, object)) ? at(reads, 'binds it') : []
  })
}

/** The columns of another model that show what this one hides, and that no rule of their own hides from anybody. */
function columnsAround({ name, model }: Published, other: Published): readonly Finding[] {
  const places = grouped(placesOf(model, hiddenFromSome(model)), ({ place }) => placeKey(place))
  if (places.size === 0) return []
  const own = hiddenFromSome(other.model)
  const all = new Set([...other.model.dataObjects.values()].flatMap(keysOf))
  return placesOf(other.model, all)
    .filter(({ place, key }) => !own.has(key) && places.get(placeKey(place))?.some((one) => overlap(one.place, place)))
    .map(({ ref: { object, column } }) => ({
      code: 'COLUMN_NOT_HIDDEN',
      path: `dataObjects.${object}.columns.${column}`,
      severity: 'error',
      message: `'${object}.${column}' of the model '${other.name}' is stored in a column that the access rules of '${name}' hide. Hide it under access.fields of '${other.name}', too, with the roles that may see it in unless`,
    }))
}

const hiddenFromSome = ({ access }: SemanticModel): ReadonlySet<string> =>
  hiddenByAll((access?.fields ?? []).map(({ hidden }) => hidden)).columns

const keysOf = ({ name, columns }: DataObject): readonly string[] =>
  [...columns.keys()].map((column) => columnKey({ object: name, column }))

/** Where these columns are stored. */
const placesOf = ({ dataObjects }: SemanticModel, keys: ReadonlySet<string>) =>
  [...dataObjects.values()].flatMap((object) =>
    [...object.columns.keys()].flatMap((column) => {
      const ref = { object: object.name, column }
      const key = columnKey(ref)
      const place = keys.has(key) ? storedPlace(ref, dataObjects) : undefined
      return place ? [{ ref, key, place }] : []
    }),
  )
