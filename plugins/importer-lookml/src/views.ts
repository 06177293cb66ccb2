/** Views and their fields. */
import { type Part, Refused } from '@grainline/importer-dbt/foreign'
import { isOn } from './keys.js'
import { intervalsOf, timeframesOf } from './timeframes.js'

export interface LookView {
  readonly name: string
  readonly part: Part
  /** Dimensions and groups, by their names. */
  readonly dimensions: ReadonlyMap<string, LookDimension>
  readonly measures: ReadonlyMap<string, Part>
  readonly sets: ReadonlyMap<string, Part>
  /** Fields whose value is that of a question. */
  readonly asked: ReadonlySet<string>
}

/** A dimension, or one timeframe of a group. */
export interface LookDimension {
  readonly part: Part
  /** The name of what is written: the group of a timeframe. */
  readonly base: string
  readonly timeframe: string | undefined
  /** The unit of a duration. */
  readonly interval?: string
}

export function viewsOf(root: Part): ReadonlyMap<string, LookView> {
  return new Map(
    root.parts('view').map((part) => {
      const view = viewOf(part)
      return [view.name, view]
    }),
  )
}

function viewOf(part: Part): LookView {
  const name = identifier(part)
  part.texts('extends')
  const dimensions = new Map<string, LookDimension>()
  const add = (member: string, dimension: LookDimension) => {
    if (dimensions.has(member))
      throw new Refused(`There are two fields '${member}' in '${name}'.`, dimension.part.place, 'Rename one of them.')
    dimensions.set(member, dimension)
  }
  for (const each of part.parts('dimension')) {
    const base = identifier(each)
    add(base, { part: each, base, timeframe: timeframeOfType(each.text('type')) })
  }
  for (const each of part.parts('dimension_group')) {
    const base = identifier(each)
    const type = each.text('type') ?? 'string'
    if (type === 'time') for (const timeframe of timeframesOf(each)) add(`${base}_${timeframe}`, { part: each, base, timeframe })
    else if (type === 'duration')
      for (const interval of intervalsOf(each)) add(`${interval}s_${base}`, { part: each, base, timeframe: undefined, interval })
    else add(base, { part: each, base, timeframe: undefined })
  }
  const measures = byName(part, 'measure')
  for (const [member, each] of measures)
    if (dimensions.has(member))
      throw new Refused(`There are two fields '${member}' in '${name}'.`, each.place, 'Rename one of them.')
  const asked = new Set([...byName(part, 'filter'), ...byName(part, 'parameter')].map(([member]) => member))
  return { name, part, dimensions, measures, sets: byName(part, 'set'), asked }
}

/** A dimension may be one timeframe: `type: date`, `date_month`. */
function timeframeOfType(type: string | undefined): string | undefined {
  if (type === 'date_time' || type === 'time') return 'time'
  return type === 'date' ? 'date' : /^date_(\w+)$/.exec(type ?? '')?.[1]
}

function byName(part: Part, key: string): ReadonlyMap<string, Part> {
  const found = new Map<string, Part>()
  for (const each of part.parts(key)) {
    const name = identifier(each)
    if (found.has(name))
      throw new Refused(`There are two items with the name '${name}' (${key}).`, each.place, 'Rename one of them.')
    found.set(name, each)
  }
  return found
}

/** A name is part of other names here, with a point between. */
export function identifier(part: Part): string {
  const name = part.needed('name')
  if (!/^\w{1,128}$/.test(name) || name === '__proto__')
    throw new Refused(`'${name}' is no name of LookML.`, part.place, 'Write letters, digits and underscores.')
  return name
}

export const isPrimary = (part: Part): boolean => isOn(part, 'primary_key')
