/** What must hold among all published models, if one of them has access rules. */
import type { Finding } from '../errors.js'
import { restrictedObjects } from '../model/access.js'
import { objectsSought } from '../model/columns-read.js'
import { columnKey, hiddenByAll } from '../model/hidden-fields.js'
import type { DataObject, SemanticModel } from '../model/semantic-model.js'
import { tableOf } from '../model/table-of.js'
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

/** The objects of another model that read a table whose rows the policies of this one remove, and that none of their policies binds. */
function tablesAround({ name, model }: Published, other: Published): readonly Finding[] {
  const rows = model.access?.rows ?? []
  const restricted = restrictedObjects(model, rows)
  const sought = rows.flatMap(({ condition }) => objectsSought(condition))
  const removed = new Set([...restricted, ...sought].flatMap((object) => tableOf(model.dataObjects.get(object)!) ?? []))
  const own = restrictedObjects(other.model, other.model.access?.rows ?? [])
  const open = other.model.access?.unbound ?? []
  return [...other.model.dataObjects.values()].flatMap((object): readonly Finding[] => {
    const table = tableOf(object)
    const isAround = (table !== undefined && removed.has(table)) || (rows.length > 0 && object.source.kind === 'sql')
    if (!isAround || own.has(object.name) || open.includes(object.name)) return []
    const reads =
      object.source.kind === 'sql'
        ? 'is SQL text, which may read any table'
        : `reads a table whose rows the policies of '${name}' remove or look for`
    return [
      {
        code: 'POLICY_MISSES_TABLE',
        path: `dataObjects.${object.name}`,
        severity: 'error',
        message: `'${object.name}' of the model '${other.name}' ${reads}, and no policy of that model binds it`,
      },
    ]
  })
}

/** The columns of another model that are stored where this one hides columns, and that no rule of their own hides from anybody. */
function columnsAround({ name, model }: Published, other: Published): readonly Finding[] {
  const places = new Set(placesOf(model, hiddenFromSome(model)).map(({ place }) => place))
  if (places.size === 0) return []
  const own = hiddenFromSome(other.model)
  const all = new Set([...other.model.dataObjects.values()].flatMap(keysOf))
  return placesOf(other.model, all)
    .filter(({ place, key }) => places.has(place) && !own.has(key))
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

/** The tables and columns in which columns are stored. */
const placesOf = ({ dataObjects }: SemanticModel, keys: ReadonlySet<string>) =>
  [...dataObjects.values()].flatMap((object) =>
    [...object.columns.values()].flatMap(({ name: column, source }) => {
      const table = tableOf(object)
      const ref = { object: object.name, column }
      const key = columnKey(ref)
      if (!keys.has(key) || table === undefined || source.kind !== 'physical') return []
      return [{ ref, key, place: JSON.stringify([table, source.code.toLowerCase()]) }]
    }),
  )
