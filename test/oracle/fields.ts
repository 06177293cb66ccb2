/** What a name in a query denotes: the roles whose rows it reads, and how its value is computed from them. */

import { binned } from './bins.js'
import { locate } from './bridges.js'
import { GRAINS, truncate } from './calendar.js'
import { evaluateTyped, parseExpression, type Ref } from './expressions.js'
import { calendarGrain } from './fiscal.js'
import type { DimensionJson } from './model.js'
import { type Role, reachesRole } from './paths.js'
import { Refusal, refuse } from './refusal.js'
import { isOneSort, placesOf } from './sorted.js'
import { ofClock } from './time-functions.js'
import type { Value } from './values.js'
import { checkPaths, columnOf, columnOfRef, type Kind, kindOf, type Row, readColumn, readRef, type World } from './world.js'

export interface Field {
  /** Empty if it cannot be evaluated from this base object (a coalesce without a reachable member). */
  readonly roles: readonly Role[]
  readonly kind: Kind
  /** The kind in which its values are compared, if that is another one: the first day of a period can be compared with a timestamp. */
  readonly comparedAs?: Kind
  /** Set if its values are the first days, or first moments, of periods. */
  readonly grain?: string
  /** From one row (or its absence) per role. */
  readonly value: (rows: readonly (Row | null)[]) => Value
}

/** A dimension selected by a query. */
export interface Asked {
  /** The name of the output column. */
  readonly text: string
  /** The dimension's own name, or the alias of a coalesce. */
  readonly name: string
  /** The grain of the query, or else the declared one. */
  readonly grain: string | undefined
  /** The sort keys of a value. */
  readonly placesOf: (value: Value) => readonly Value[]
  /** The members of a coalesce, as written. */
  readonly coalesced?: readonly string[]
  /** Its field as seen by an aggregate at `home`. */
  readonly at: (home: string) => Field
  /** The objects of which one must be reached for the dimension to have values. */
  readonly members: readonly Role[]
  /** Set if only some of its values are kept, and the others are NULL. */
  readonly top?: { readonly plain: Asked; readonly others: string | undefined }
  /** Set if the answer does not show it: the dimensions that together stand for it. */
  readonly toldBy?: readonly string[]
  /** True if an object reaches the dimension directly. */
  readonly reachedBy: (object: string) => boolean
}

type WrittenDimension = string | { readonly coalesce: readonly string[]; readonly as: string; readonly grain?: string }

/** Those of the dimensions that are not refused. */
export const readableDimensions = (world: World, written: readonly WrittenDimension[]): readonly Asked[] =>
  written.flatMap((one) => {
    try {
      return [askedDimension(world, one)]
    } catch (refused) {
      if (refused instanceof Refusal) return []
      throw refused
    }
  })

export function askedDimension(world: World, written: WrittenDimension): Asked {
  if (typeof written !== 'string') return coalesced(world, written)
  const [name, grain] = splitGrain(world, written)
  const definition = dimensionOf(world, name)
  const inUse = grain ?? definition.timeGrain
  const field = dimensionField(world, definition, inUse)
  return {
    text: written,
    name,
    grain: inUse,
    placesOf: placesOf(world, definition, inUse),
    at: () => field,
    members: field.roles,
    reachedBy: (o) => reachesRole(world, o, field.roles[0]!),
    ...(definition.toldBy && { toldBy: definition.toldBy }),
  }
}

function coalesced(
  world: World,
  { coalesce, as, grain }: { readonly coalesce: readonly string[]; readonly as: string; readonly grain?: string },
): Asked {
  const members = coalesce.map((m) => askedDimension(world, grain === undefined ? m : `${m}:${grain}`))
  const fields = members.map((m) => m.at(''))
  const kind = fields[0]!.kind
  const nothing: Field = { roles: [], kind, value: () => null }
  const at = (home: string): Field => {
    const direct = fields.filter((f) => reachesRole(world, home, f.roles[0]!))
    if (direct.length > 0)
      return {
        roles: direct.map((f) => f.roles[0]!),
        kind,
        value: (rows) => firstPresent(direct.map((f, i) => f.value([rows[i]!]))),
      }
    return fields.find((f) => locate(world, home, f.roles[0]!) !== undefined) ?? nothing
  }
  return {
    text: as,
    name: as,
    grain: grain ?? members[0]!.grain,
    placesOf: isOneSort(world, coalesce, grain) ? members[0]!.placesOf : (value) => [value],
    coalesced: coalesce,
    at,
    members: fields.flatMap((f) => f.roles),
    reachedBy: (o) => members.some((m) => m.reachedBy(o)),
  }
}

const firstPresent = (values: readonly Value[]): Value => values.find((v) => v !== null) ?? null

/** `Name:grain`, if the name itself is not a dimension. */
function splitGrain(world: World, written: string): [string, string | undefined] {
  if (world.model.dimensions?.[written]) return [written, undefined]
  const at = written.lastIndexOf(':')
  const grain = written.slice(at + 1)
  const isGrain = GRAINS.includes(grain) || calendarGrain(grain, world.calendars) !== undefined
  return at > 0 && isGrain ? [written.slice(0, at), grain] : [written, undefined]
}

function dimensionOf(world: World, name: string): DimensionJson {
  return world.model.dimensions?.[name] ?? refuse('UNKNOWN_DIMENSION', name)
}

export function dimensionField(world: World, definition: DimensionJson, grain: string | undefined): Field {
  const role: Role = { object: definition.dataObject, ...(definition.via !== undefined && { via: definition.via }) }
  const own =
    definition.column === undefined ? expressionField(world, role, definition) : columnField(world, role, definition.column)
  const raw = definition.bins ? binned(own, definition.bins) : own
  if (grain === undefined) return raw
  if (raw.kind !== 'date' && raw.kind !== 'timestamp') refuse('TIME_GRAIN_ON_NON_TEMPORAL', definition.dataObject)
  const kind: Kind = ['second', 'minute', 'hour'].includes(grain) ? 'timestamp' : 'date'
  return { ...raw, kind, comparedAs: 'timestamp', grain, value: (rows) => truncate(grain, raw.value(rows), world) }
}

export function columnField(world: World, role: Role, column: string): Field {
  const { kind } = columnOf(world, role.object, column)
  checkPaths(world, role.object, { kind: 'ref', parts: [column] })
  return { roles: [role], kind, value: ([row]) => readColumn(world, role.object, row ?? null, column) }
}

function expressionField(world: World, role: Role, definition: DimensionJson): Field {
  const node = parseExpression(definition.expression!)
  checkPaths(world, role.object, node)
  const read = (row: Row) => (ref: Ref) => readRef(world, role.object, row, ref)
  const float = (ref: Ref): boolean => columnOfRef(world, role.object, ref).kind === 'float'
  const kind = kindOf({ abstractType: definition.resultType ?? 'string' })
  const isInstant = (ref: Ref): boolean => columnOfRef(world, role.object, ref).isInstant
  return { roles: [role], kind, value: ([row]) => (row ? ofClock(node, evaluateTyped(node, read(row), float), isInstant) : null) }
}

/** `Object.Column` as a field; undefined if it names none. */
export function addressField(world: World, text: string): Field | undefined {
  for (const thing of world.things.values()) {
    const column = text.startsWith(`${thing.name}.`) ? text.slice(thing.name.length + 1) : undefined
    if (column !== undefined && thing.columns.has(column)) return columnField(world, { object: thing.name }, column)
  }
  return undefined
}

/** The field that a `where` condition names, as seen by an aggregate at `home`. */
export function filterField(world: World, name: string, asked: readonly Asked[], home: string): Field {
  const alias = asked.find((a) => a.text === name && a.members.length > 1)
  if (alias?.coalesced) return coalesced(world, { coalesce: alias.coalesced, as: name }).at(home)
  const definition = world.model.dimensions?.[name]
  if (definition) return dimensionField(world, definition, definition.timeGrain)
  return addressField(world, name) ?? refuse('UNKNOWN_FILTER_FIELD', name)
}

/** One text per column that a filter or dimension reads, under any name: the object, how it is reached, the column. */
export function addressOf(world: World, name: string): string {
  const definition = world.model.dimensions?.[name] ?? world.model.dimensions?.[splitGrain(world, name)[0]]
  if (!definition) return name
  const { dataObject, column = `expression ${definition.expression}`, via } = definition
  return `${dataObject}.${column}${via === undefined ? '' : ` via ${via}`}`
}
