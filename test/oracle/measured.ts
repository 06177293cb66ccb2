/** A measure as a column of an object: for a row, the answer to the question for that measure by the key of the object, without conditions. */
import { visibleRows } from './bridges.js'
import { truncate } from './calendar.js'
import { atomNames, isInstantName, kindOfName, rowMetricOf } from './components.js'
import { checkNames } from './faults.js'
import { type Asked, dimensionField } from './fields.js'
import { blockOf, levelOf, tuplesOf } from './levels.js'
import type { ColumnJson } from './model.js'
import { reachesRole } from './paths.js'
import { refuse } from './refusal.js'
import { sheetOf } from './sheet.js'
import { keyOfAll, type Value } from './values.js'
import type { Column, Kind, Row, World } from './world.js'

/** A column that says how it is measured. */
export type MeasuredJson = ColumnJson & { readonly measure: string }

const NOW = new Date('2026-01-15T12:00:00Z')
const PERIODS_WITH_CLOCK = ['second', 'minute', 'hour']

/** Its kind depends on the measure, which is known when the world is complete. */
export function measuredColumn(world: () => World, { measure, grain, usePathNames }: MeasuredJson): Column {
  const pins = (usePathNames ?? []).map(({ source, target, pathName }) => ({ source, target, path_name: pathName }))
  const inner = () => world().with(pins)
  return {
    get kind(): Kind {
      if (grain === undefined) return kindOfName(inner(), measure)
      return PERIODS_WITH_CLOCK.includes(grain) ? 'timestamp' : 'date'
    },
    get isInstant() {
      return grain === undefined && !rowMetricOf(inner(), measure) && isInstantName(inner(), measure)
    },
    expression: undefined,
    measured: { measure, ...(grain !== undefined && { grain }), pins },
  }
}

/** The value of the column in a row of its object. */
export function measuredValue(world: World, object: string, row: Row, name: string): Value {
  const values = measuredValues(world, object, name)
  const { key } = world.things.get(object)!
  return values.get(keyOfAll(key.map((column) => row.values[column]!))) ?? null
}

/** All its values, by the key; whether they are refused does not depend on rows. A filter that counts only what it leaves itself is refused. */
export function measuredValues(world: World, object: string, name: string): ReadonlyMap<string, Value> {
  const memo = `measured ${object}.${name}`
  const known = world.memo.get(memo) as ReadonlyMap<string, Value> | 'open' | undefined
  if (known === 'open') return refuse('CYCLIC_FILTER', `${object}.${name}`)
  if (known) return known
  world.memo.set(memo, 'open')
  try {
    const values = valuesByKey(world, object, name)
    world.memo.set(memo, values)
    return values
  } catch (error) {
    world.memo.delete(memo)
    throw error
  }
}

function valuesByKey(world: World, object: string, name: string): ReadonlyMap<string, Value> {
  const { measured } = world.things.get(object)!.columns.get(name)!
  const plain = world.with(measured!.pins)
  const { key, rows } = plain.things.get(object)!
  if (key.length === 0) refuse('KEY_REQUIRED', object)
  const keys = key.map((column) => keyDimension(plain, object, column))
  const open = [...world.memo].filter(([, known]) => known === 'open')
  const inner: World = { ...plain, memo: new Map(open), asks: { dimensions: keys, where: [], now: NOW } }
  checkNames(inner, [measured!.measure], keys, { where: [], now: NOW })
  const level = levelOf({ world: inner, now: NOW, asked: keys, dimensions: keys, shown: keys, written: [], where: [] })
  const atoms = atomNames(inner, measured!.measure)
  const isCoarse = atoms.some((atom) => blockOf(level, atom).at.length < keys.length)
  tuplesOf(level, atoms)
  const tuples = rows.map(({ values }) => key.map((column) => values[column]!))
  const found = sheetOf(level, tuples).column(measured!.measure)
  const at = (value: Value): Value => (measured!.grain === undefined ? value : truncate(measured!.grain, value, inner))
  // A total is the same in each row of the answer to that question: those of the object that static filters leave.
  const answered = new Set(isCoarse ? visibleRows(plain, object) : rows)
  return new Map(tuples.map((tuple, i) => [keyOfAll(tuple), answered.has(rows[i]!) ? at(found[i]!) : null]))
}

function keyDimension(world: World, dataObject: string, column: string): Asked {
  const field = dimensionField(world, { dataObject, column }, undefined)
  const text = `${dataObject}.${column}`
  return {
    text,
    name: text,
    grain: undefined,
    placesOf: (value) => [value],
    at: () => field,
    members: field.roles,
    reachedBy: (object) => reachesRole(world, object, field.roles[0]!),
  }
}
