/** Joins → relationships. */
import type { SemanticModel } from '@grainline/core'
import { checkKeys, type KeyUse, reportDetours, Unsaid } from '@grainline/importer-dbt/foreign'
import { identifier, keyOf } from './identifier.js'
import type { OutPair, OutRelationship, OutTable } from './outline.js'
import type { Tables } from './tables.js'

type DataObject = NonNullable<ReturnType<SemanticModel['dataObjects']['get']>>
type Join = DataObject['joins'][number]

const JOIN_KEYS: Readonly<Record<string, KeyUse>> = {
  ...Object.fromEntries(
    'joinType joinTo columnsFrom columnsTo during asOf secondary pathName required'
      .split(' ')
      .map((key) => [key, 'said' as const]),
  ),
  foreignKey: 'inert',
  description: 'inert',
  customExtensions: 'inert',
}

const TIME_KEYS = { asOf: ['time', 'to'], during: ['time', 'from', 'to'] } as const

/** `hasPeriods`: whether the form has a place for a value between two columns. */
export function* relationshipsOf(tables: Tables, hasPeriods: boolean): Generator<void, readonly OutRelationship[]> {
  const found: OutRelationship[] = []
  const joined = new Set<string>()
  const names = new Set<string>()
  for (const object of tables.model.dataObjects.values())
    for (const [at, join] of object.joins.entries()) {
      const path = ['dataObjects', object.name, 'joins', at]
      const what = `The join of '${object.name}' to '${join.to}'`
      tables.report.item(path, what, () => {
        const entry = tables.model.document.dataObjects?.[object.name]?.joins?.[at] ?? {}
        if (join.required) throw new Unsaid('a relationship never removes rows')
        checkKeys(entry, JOIN_KEYS)
        const pair = [object.name, join.to].toSorted().join('\0')
        if (join.secondary && !joined.has(pair)) throw new Unsaid('it is a secondary join without a first one')
        if (!join.secondary && joined.has(pair)) throw new Unsaid('another join of these objects is before it')
        found.push(relationship({ object, join, at, hasPeriods, names }, tables))
        joined.add(pair)
        tables.report.inert(path, entry, JOIN_KEYS)
      })
      yield
    }
  reportDetours(tables.model, tables.report)
  return found
}

interface JoinOf {
  readonly object: DataObject
  readonly join: Join
  readonly at: number
  readonly hasPeriods: boolean
  readonly names: Set<string>
}

function relationship({ object, join, at, hasPeriods, names }: JoinOf, tables: Tables): OutRelationship {
  const [left, right] = [tables.table(object.name), tables.table(join.to)]
  if (join.cardinality === 'many-to-many') throw new Unsaid('it is many-to-many', 'Add a table between the two.')
  const time = timeOf(object.name, at, tables)
  const equal = join.on.flatMap((term): OutPair[] =>
    term.kind === 'equal' ? [{ left: tables.keyColumn(object.name, term.from), right: tables.keyColumn(join.to, term.to) }] : [],
  )
  const pairs = [
    ...equal,
    ...(time ? [{ ...time, left: tables.keyColumn(object.name, time.left), ...target(time, join, right, tables) }] : []),
  ]
  if (time?.until !== undefined && !hasPeriods)
    throw new Unsaid('it holds during a period, which this form has no documented place for', 'Convert to the statement.')
  const [lefts, rights] = [equal.map((pair) => pair.left), equal.map((pair) => pair.right)]
  if (!time) needKey(join.to, rights, tables)
  if (!time && join.cardinality === 'one-to-one') needKey(object.name, lefts, tables)
  const named = join.pathName ?? `${object.name} to ${join.to}`
  let name = identifier(named)
  for (let at = 2; names.has(keyOf(name)); at++) name = identifier(`${named} (${at})`)
  names.add(keyOf(name))
  if (join.pathName !== undefined && keyOf(name) !== keyOf(identifier(join.pathName)))
    tables.report.lose(
      'rewritten',
      ['dataObjects', object.name, 'joins', at],
      `'${join.pathName}' is called ${name}: another relationship has this name.`,
    )
  return {
    path: ['dataObjects', object.name, 'joins', at],
    name,
    left: left.name,
    right: right.name,
    columns: pairs,
    isOneToOne: join.cardinality === 'one-to-one',
  }
}

/** The columns of a join over time, by their names in the model. */
function timeOf(object: string, at: number, { model }: Tables): OutPair | undefined {
  const { asOf, during } = model.document.dataObjects?.[object]?.joins?.[at] ?? {}
  for (const [kind, entry] of Object.entries({ asOf, during }))
    for (const key of Object.keys(entry ?? {}))
      if (!TIME_KEYS[kind as 'asOf' | 'during'].some((known) => known === key))
        throw new Unsaid(`the format has no place for '${key}' of ${kind}`)
  if (asOf) return { left: asOf.time, right: asOf.to, isAsOf: true }
  return during && { left: during.time, right: during.from, until: during.to }
}

function target(
  { right: start, until }: OutPair,
  { to }: Join,
  table: OutTable,
  tables: Tables,
): Partial<OutPair> & { right: string } {
  const right = tables.keyColumn(to, start)
  if (until === undefined) return { right }
  const end = tables.keyColumn(to, until)
  table.range = [right, end]
  return { right, until: end }
}

/** A relationship ends at a key of its table. */
function needKey(object: string, columns: readonly string[], tables: Tables): void {
  const table = tables.table(object)
  const keys = [table.primaryKey, ...table.uniqueKeys].filter((key) => key.length > 0)
  if (keys.some((key) => key.every((column) => columns.includes(column)))) return
  table.uniqueKeys.push(columns)
  tables.report.lose(
    'rewritten',
    ['dataObjects', object],
    `The columns (${columns.join(', ')}) of '${object}' are a unique key: a join says so.`,
  )
}
