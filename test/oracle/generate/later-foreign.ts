/** Joins that are declared foreign keys, over data that hold it. */
import type { JoinJson, ModelJson, ObjectJson, PlainRow, Tables } from '../model.js'
import type { Random } from './random.js'

/**
 * In most models some joins find a row for each key that is not NULL, and most of these are declared foreign keys; the others must have the same
 * answers without it. Elements of arrays are left as they are. Drawn from a separate random source, so that the rest of a case is the same.
 */
export function withForeignKeys(
  random: Random,
  model: ModelJson,
  data: Tables,
): { readonly model: ModelJson; readonly data: Tables } {
  if (random.chance(0.25)) return { model, data }
  let tables = data
  const objects = Object.entries(model.dataObjects).map(([name, object]): [string, ObjectJson] => {
    const { joins, nestedIn } = object
    if (!joins || nestedIn) return [name, object]
    for (const join of joins)
      if (isForward(join) && random.chance(0.7))
        tables = { ...tables, [name]: repaired(random, join, tables[name]!, tables[join.joinTo]!) }
    return [name, object]
  })
  // A repair may move a link that another join of the same columns follows, so that only the final rows decide.
  const declared = objects.map(([name, object]): [string, ObjectJson] => {
    const { joins, nestedIn } = object
    if (!joins || nestedIn) return [name, object]
    const holds = (join: JoinJson) => tables[name]!.every((row) => isMet(join, row, tables[join.joinTo]!))
    return [
      name,
      {
        ...object,
        joins: joins.map((join) => (isForward(join) && holds(join) && random.chance(0.8) ? { ...join, foreignKey: true } : join)),
      },
    ]
  })
  return { model: { ...model, dataObjects: Object.fromEntries(declared) }, data: tables }
}

/** Whether the rows hold what is declared. */
export const holdsForeignKeys = ({ dataObjects }: ModelJson, data: Tables): boolean =>
  Object.entries(dataObjects).every(([name, { joins = [] }]) =>
    joins.every((join) => !join.foreignKey || (data[name] ?? []).every((row) => isMet(join, row, data[join.joinTo] ?? []))),
  )

const isForward = ({ joinType }: JoinJson): boolean => joinType !== 'many-to-many'

const isMet = ({ columnsFrom, columnsTo }: JoinJson, row: PlainRow, targets: readonly PlainRow[]): boolean =>
  columnsFrom.some((column) => row[column] === null) ||
  targets.some((target) => columnsFrom.every((column, i) => row[column] === target[columnsTo[i]!]))

/** Rows that miss their target lead to another one, or nowhere. */
function repaired(random: Random, join: JoinJson, rows: readonly PlainRow[], targets: readonly PlainRow[]): readonly PlainRow[] {
  const { columnsFrom, columnsTo, joinType } = join
  return rows.map((row) => {
    if (isMet(join, row, targets)) return row
    const target = targets.length > 0 && joinType === 'many-to-one' && random.chance(0.6) ? random.pick(targets) : undefined
    return { ...row, ...Object.fromEntries(columnsFrom.map((column, i) => [column, target?.[columnsTo[i]!] ?? null])) }
  })
}
