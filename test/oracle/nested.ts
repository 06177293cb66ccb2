/** Objects whose rows are the elements of an array, converted to objects with their own rows. */
import type { ColumnJson, Elements, ModelJson, ObjectJson, PlainRow, Tables } from './model.js'

/** A model and its rows. */
interface Ground {
  readonly model: ModelJson
  readonly tables: Tables
}

let latest: { readonly of: Ground; readonly flat: Ground } | undefined

/** The same objects if nothing is nested, and the same result for the same model and rows. */
export function unnested(model: ModelJson, tables: Tables): Ground {
  if (!Object.values(model.dataObjects).some((o) => o.nestedIn)) return { model, tables }
  if (latest?.of.model !== model || latest.of.tables !== tables)
    latest = { of: { model, tables }, flat: flattened(model, tables) }
  return latest.flat
}

function flattened(model: ModelJson, tables: Tables): Ground {
  const objects = new Map<string, ObjectJson>()
  const rows = new Map<string, readonly PlainRow[]>()
  const visit = (name: string): void => {
    const object = model.dataObjects[name]!
    const { nestedIn } = object
    if (objects.has(name)) return
    if (nestedIn) visit(nestedIn.dataObject)
    const parent = nestedIn && { name: nestedIn.dataObject, object: objects.get(nestedIn.dataObject)! }
    // That they are elements is still known: a filter through them is not one through another fact.
    objects.set(name, parent ? withKey(object, parent) : object)
    rows.set(
      name,
      nestedIn && parent
        ? rows.get(parent.name)!.flatMap((row) => rowsIn(row, nestedIn.column, object, keyNames(parent)))
        : (tables[name] ?? []),
    )
  }
  for (const name of Object.keys(model.dataObjects)) visit(name)
  const dataObjects = Object.fromEntries(Object.keys(model.dataObjects).map((n) => [n, withoutArrays(objects.get(n)!)]))
  return { model: { ...model, dataObjects }, tables: Object.fromEntries(rows) }
}

/** Only nested objects read arrays. */
const withoutArrays = (object: ObjectJson): ObjectJson => ({
  ...object,
  columns: Object.fromEntries(Object.entries(object.columns).filter(([, c]) => c.abstractType !== 'json')),
})

interface Parent {
  readonly name: string
  readonly object: ObjectJson
}

const keyOf = ({ columns }: ObjectJson): string[] => Object.keys(columns).filter((c) => columns[c]!.primaryKey)
/** Columns of the parent's key, and their names in the rows of the elements. */
const keyNames = ({ name, object }: Parent): [string, string][] => keyOf(object).map((c) => [c, `${name} ${c}`])

const isPosition = (c: ColumnJson): boolean => c.code === '#'
const positionOf = ({ columns }: ObjectJson): string => Object.keys(columns).find((c) => isPosition(columns[c]!)) ?? 'Position'

/** The key of its row and its position identify an element, and join it to that row. */
function withKey(object: ObjectJson, parent: Parent): ObjectJson {
  const own = keyNames(parent)
  const keys = own.map(([c, name]) => [name, { ...parent.object.columns[c]!, primaryKey: true }] as const)
  const declared = Object.entries(object.columns).map(([n, c]) => [n, isPosition(c) ? { ...c, primaryKey: true } : c] as const)
  const position: ColumnJson = { code: '#', abstractType: 'int', primaryKey: true }
  return {
    ...object,
    columns: { ...Object.fromEntries(keys), [positionOf(object)]: position, ...Object.fromEntries(declared) },
    joins: [
      ...(object.joins ?? []),
      {
        joinType: 'many-to-one',
        joinTo: parent.name,
        columnsFrom: own.map(([, name]) => name),
        columnsTo: own.map(([c]) => c),
      },
    ],
  }
}

function rowsIn(row: PlainRow, array: string, object: ObjectJson, keys: readonly (readonly [string, string])[]): PlainRow[] {
  const elements = row[array]
  if (!Array.isArray(elements)) return []
  const columns = Object.entries(object.columns).filter(([, c]) => c.code !== undefined)
  return (elements as Elements).map((element, i) => ({
    ...Object.fromEntries(keys.map(([c, name]) => [name, row[c]!])),
    [positionOf(object)]: i + 1,
    ...Object.fromEntries(columns.map(([name, c]) => [name, fieldOf(element, c, i)])),
  }))
}

function fieldOf(element: Elements[number], { code }: ColumnJson, index: number): PlainRow[string] {
  if (code === '#') return index + 1
  if (element === null || typeof element !== 'object') return code === '*' ? element : null
  return element[code!] ?? null
}
