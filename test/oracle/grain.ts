/** The grain of a measure: the dimensions of a level by which its value is computed. */
import type { Asked } from './fields.js'
import type { GrainJson, MeasureJson } from './model.js'

/** Positions in `dimensions`. Further dimensions in `include` are absent from this level. */
export function grainOf({ total, grain }: MeasureJson, dimensions: readonly Asked[]): readonly number[] {
  const all = dimensions.map((_, i) => i)
  if (total) return []
  if (!grain) return all
  const kept = all.filter((i) => !dimensions[i]!.toldBy && isKept(grain, dimensions[i]!.name))
  const names = new Set(kept.map((i) => dimensions[i]!.name))
  return all.filter((i) => kept.includes(i) || dimensions[i]!.toldBy?.every((name) => names.has(name)))
}

function isKept({ mode, include = [], exclude = [], keepOnly = [] }: GrainJson, name: string): boolean {
  if (mode === 'FIXED') return names(include, name) || names(keepOnly, name)
  return !names(exclude, name) && (keepOnly.length === 0 || names(keepOnly, name))
}

/** `Name:month` denotes `Name`. */
const names = (list: readonly string[], name: string): boolean => list.some((n) => n === name || n.startsWith(`${name}:`))

/** The dimensions that a FIXED grain includes and the query does not select. */
export function missingOf({ total, grain }: MeasureJson, dimensions: readonly Asked[]): readonly string[] {
  if (total || grain?.mode !== 'FIXED') return []
  return (grain.include ?? []).filter((n) => !dimensions.some((d) => names([n], d.name)))
}
