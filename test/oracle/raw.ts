/** Raw mode: rows instead of groups. */
import { connector, homeRows, locate, type Place } from './bridges.js'
import { type Reading, whereCondition } from './conditions.js'
import type { Answer } from './evaluate.js'
import { addressField } from './fields.js'
import { reachedByAll, realObjects } from './homes.js'
import type { PlainQueryJson } from './model.js'
import { page, type Sortable } from './order.js'
import { follow, path, reaches } from './paths.js'
import { refuse } from './refusal.js'
import { keyOfAll, type Value } from './values.js'
import { readColumn, type World } from './world.js'

export function rawAnswer(world: World, query: PlainQueryJson, now: Date): Answer {
  const columns = query.select.fields ?? []
  const fields = columns.map((f) => addressField(world, f) ?? refuse('RAW_FIELD_UNKNOWN_COLUMN', f))
  const home = rawHome(world, [...new Set(fields.map((f) => f.roles[0]!.object))])
  const steps = fields.map((f) => path(world, home, f.roles[0]!.object))
  const { key } = world.things.get(home)!
  const shown = keptRows(world, query, now, home).map((row) => ({
    values: fields.map((f, i) => f.value([follow(row, steps[i]!)])),
    key: key.map((k) => readColumn(world, home, row, k)),
  }))
  const rows = query.select.distinct ? [...new Map(shown.map((r) => [keyOfAll(r.values), { ...r, key: [] }])).values()] : shown
  const sortable = rows.map((r): Sortable & { readonly values: readonly Value[] } => ({
    values: r.values,
    by: (field) => [r.values[typeof field === 'number' ? field - 1 : columns.indexOf(field)] ?? null],
    ties: r.key.length > 0 ? r.key : r.values,
  }))
  const { rows: paged, ranks } = page(sortable, query)
  return { columns, rows: paged.map((r) => r.values), ranks }
}

function rawHome(world: World, read: readonly string[]): string {
  const reachesAll = (o: string): boolean => read.every((r) => reaches(world, o, r))
  const among = read.filter(reachesAll)
  const candidates = among.length > 0 ? among : realObjects(world).filter(reachesAll)
  if (candidates.length === 0) return refuse('NO_JOIN_PATH', `no object reaches ${read.join(', ')}`)
  const needed = read.map((object) => ({ object }))
  return reachedByAll(world, candidates, needed) ?? refuse('AMBIGUOUS_JOIN', `${candidates.join(', ')} reach ${read.join(', ')}`)
}

function keptRows(world: World, query: PlainQueryJson, now: Date, home: string) {
  const reading: Reading = { world, now, home, asked: [] }
  const conditions = (query.where ?? []).map((filter) => {
    const condition = whereCondition(reading, filter)
    const places = condition.roles.map(
      (role) => locate(world, home, role) ?? refuse('FILTER_APPLIES_TO_NOTHING', JSON.stringify(filter)),
    )
    return { condition, places }
  })
  const bridges = new Set(conditions.flatMap((c) => c.places.flatMap((p: Place) => p.bridge ?? [])))
  if (bridges.size > 0 && !query.select.distinct && world.things.get(home)!.key.length === 0) refuse('KEY_REQUIRED', home)
  const connectionsOf = connector(world, home, bridges)
  return homeRows(world, home).filter((row) =>
    connectionsOf(row).some((connection) =>
      conditions.every(({ condition, places }) => {
        const rows = places.map(({ bridge, steps }) => {
          const start = bridge === undefined ? row : (connection.get(bridge) ?? null)
          return start && follow(start, steps)
        })
        return condition.holds(rows) === true
      }),
    ),
  )
}
