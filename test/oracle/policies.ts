/** What policies leave of tables: the rows from which every way to an object of a policy ends in a row of which it is true. */

import { foundFrom } from './conditions.js'
import { groupBy } from './group-by.js'
import type { FilterJson, ModelJson, StaticFilterJson, Tables } from './model.js'
import { everyPath, reaches } from './paths.js'
import { staticConditionsOf } from './static-filters.js'
import { type Edge, type Row, type World, worldOf } from './world.js'

/** Rows for which a row of another object that meets the filters is found, or with `nonexists` is not. */
export interface SeekingJson {
  readonly dataObject: string
  readonly exists?: string
  readonly nonexists?: string
  readonly pathName?: string
  readonly filters?: readonly FilterJson[]
}

export type PolicyJson = StaticFilterJson | SeekingJson
const isSeeking = (policy: PolicyJson): policy is SeekingJson => !('column' in policy)

/**
 * The tables without the rows that the policies remove: first those of which a policy is not true; then in turn those with a way to an object of a policy that
 * ends in no row that is left. Ways are by the joins that the model declares, and times in its zone. A join that finds the row of a time chooses among the rows
 * that are left, so each object comes after those that it reaches.
 */
export const left = (model: ModelJson, tables: Tables, all: readonly PolicyJson[]): Tables =>
  leftByWays(model, found(worldOf(model, tables, { select: {} }), tables, all.filter(isSeeking)), all)

/** The same for tables of which only rows are left for which rows were found: these may be gone now. */
export function leftByWays(model: ModelJson, tables: Tables, all: readonly PolicyJson[]): Tables {
  const whole = worldOf(model, tables, { select: {} })
  const policies = all.filter((policy): policy is StaticFilterJson => !isSeeking(policy))
  const ends = all.map(({ dataObject }) => dataObject)
  const names = [...whole.things.keys()].filter((name) => Object.hasOwn(tables, name))
  const reached = (name: string): number => names.filter((other) => reaches(whole, name, other)).length
  const turns = [...groupBy(names, reached)].toSorted(([a], [b]) => a - b)
  return turns.reduce((rest, [, turn]) => leftOf(model, rest, { policies, ends, turn }), tables)
}

/** Whether rows are found is judged on whole tables. */
function found(whole: World, tables: Tables, policies: readonly SeekingJson[]): Tables {
  const rest = new Map(Object.entries(tables))
  for (const { dataObject, exists, nonexists, pathName, filters = [] } of policies) {
    const reading = { world: whole, now: NOW, home: dataObject, asked: [] }
    const isFound = foundFrom(reading, dataObject, { target: exists ?? nonexists!, pathName, filters })
    const { rows } = whole.things.get(dataObject)!
    const isGone = (row: Row): boolean => isFound(row) === (exists === undefined)
    const gone = new Set(rows.flatMap((row, at) => (isGone(row) ? [tables[dataObject]![at]!] : [])))
    rest.set(
      dataObject,
      rest.get(dataObject)!.filter((row) => !gone.has(row)),
    )
  }
  return Object.fromEntries(rest)
}

const NOW = new Date('2026-01-15T12:00:00Z')

interface Turn {
  /** The objects of all policies. */
  readonly ends: readonly string[]
  readonly policies: readonly StaticFilterJson[]
  readonly turn: readonly string[]
}

/** The tables without the rows that are removed of some objects, once they are gone of all others that these reach. */
function leftOf(model: ModelJson, tables: Tables, { policies, ends, turn }: Turn): Tables {
  const world = worldOf(model, tables, { select: {} })
  const conditions = staticConditionsOf({ ...world, model: { ...model, filters: policies } })
  const objects = [...world.things.values()].filter(({ name }) => Object.hasOwn(tables, name))
  const remaining = new Map(
    objects.map(({ name, rows }) => {
      const own = turn.includes(name) ? conditions.filter(({ on }) => on === name) : []
      return [name, new Set(rows.filter((row) => own.every(({ holds }) => holds(row) === true)))]
    }),
  )
  const ways = new Map(turn.map((name) => [name, waysOf(world, name, [...new Set(ends)])]))
  for (let removed = -1; removed !== 0; ) {
    removed = 0
    for (const name of turn)
      for (const row of remaining.get(name)!)
        if (!ways.get(name)!.every((way) => endsInRowLeft(row, way, remaining))) {
          remaining.get(name)!.delete(row)
          removed++
        }
  }
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => {
      const of = world.things.get(name)
      return [name, of ? rows.filter((_, at) => remaining.get(name)!.has(of.rows[at]!)) : rows]
    }),
  )
}

const waysOf = (world: World, from: string, ends: readonly string[]): readonly (readonly Edge[])[] =>
  ends.flatMap((end) => (end !== from && reaches(world, from, end) ? everyPath(world, from, end) : []))

function endsInRowLeft(row: Row, way: readonly Edge[], remaining: ReadonlyMap<string, ReadonlySet<Row>>): boolean {
  let at: Row | null = row
  for (const step of way) {
    at = step.match(at)
    if (at === null || !remaining.get(step.to)!.has(at)) return false
  }
  return true
}
