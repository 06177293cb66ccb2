/** Which conjuncts of the query a measure sees. */
import type { FilterJson, MeasureJson } from './model.js'

/** The fields that a conjunct names, as written. */
export const fieldsOf = (filter: FilterJson): readonly string[] =>
  'logic' in filter ? filter.filters.flatMap(fieldsOf) : [filter.as ?? filter.field]

const isShown = (conjunct: FilterJson): boolean => !('logic' in conjunct) && conjunct.shown !== undefined

export function sees({ filterContext }: MeasureJson, conjunct: FilterJson): boolean {
  if (!filterContext || isShown(conjunct)) return true
  const { mode, include = [], exclude = [], keepOnly = [] } = filterContext
  const fields = fieldsOf(conjunct)
  if (mode === 'FIXED') return fields.every((f) => include.includes(f))
  return !fields.some((f) => exclude.includes(f)) && (keepOnly.length === 0 || fields.every((f) => keepOnly.includes(f)))
}
