/** What policies leave of tables: the rows from which every way to an object of a policy ends in a row of which it is true. */
import { groupBy } from './group-by.js'
import type { ModelJson, StaticFilterJson, Tables } from './model.js'
import { everyPath, reaches } from './paths.js'
import { staticConditionsOf } from './static-filters.js'
import { type Edge, type Row, type World, worldOf } from './world.js'

/**
 * The tables without the rows that the policies remove: first those of which a policy is not true; then in turn those with a way to an object of a policy that
 * ends in no row that is left. Ways are by the joins that the model declares, and times in its zone. A join that finds the row of a time chooses among the rows
 * that are left, so each object comes after those that it reaches.
 */
export function left(model: ModelJson, tables: Tables, policies: readonly StaticFilterJson[]): Tables {
  const whole = worldOf(model, tables, { select: {} })
  const names = [...whole.things.keys()].filter((name) => Object.hasOwn(tables, name))
  const reached = (name: string): number => names.filter((other) => reaches(whole, name, other)).length
  const turns = [...groupBy(names, reached)].toSorted(([a], [b]) => a - b)
  return turns.reduce((rest, [, turn]) => leftOf(model, rest, { policies, turn }), tables)
}

interface Turn {
  readonly policies: readonly StaticFilterJson[]
  readonly turn: readonly string[]
}

/** The tables without the rows that are removed of some objects, once they are gone of all others that these reach. */
function leftOf(model: ModelJson, tables: Tables, { policies, turn }: Turn): Tables {
  const world = worldOf(model, tables, { select: {} })
  const conditions = staticConditionsOf({ ...world, model: { ...model, filters: policies } })
  const ends = [...new Set(conditions.map(({ on }) => on))]
  const objects = [...world.things.values()].filter(({ name }) => Object.hasOwn(tables, name))
  const remaining = new Map(
    objects.map(({ name, rows }) => {
      const own = turn.includes(name) ? conditions.filter(({ on }) => on === name) : []
      return [name, new Set(rows.filter((row) => own.every(({ holds }) => holds(row) === true)))]
    }),
  )
  const ways = new Map(turn.map((name) => [name, waysOf(world, name, ends)]))
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
