import type { Segments } from '../parse/locate.js'
import type { Dimension, Measure, Metric, View } from '../semantic-model.js'
import { type Context, describedOf, knowsObject } from './context.js'

interface Fields {
  readonly dimensions: ReadonlyMap<string, Dimension>
  readonly measures: ReadonlyMap<string, Measure>
  readonly metrics: ReadonlyMap<string, Metric>
}

/** The views, with every name of a field checked. Conditions are checked when they are resolved. */
export function readViews(fields: Fields, context: Context): ReadonlyMap<string, View> {
  const known = new Set([...fields.dimensions.keys(), ...fields.measures.keys(), ...fields.metrics.keys()])
  const views = new Map<string, View>()
  for (const [name, entry] of Object.entries(context.document.views ?? {})) {
    const path = ['views', name]
    if (context.isBroken(path)) continue
    const shown = readFields(entry.fields, known, [...path, 'fields'], context)
    const { where = [], mainFact, default: isDefault = false } = entry
    if (mainFact !== undefined) knowsObject(mainFact, [...path, 'mainFact'], context)
    const other = isDefault ? [...views.values()].find((view) => view.isDefault) : undefined
    if (other) {
      const message = `A model has one default view, and '${other.name}' is it already`
      context.faults.error('DUPLICATE_IDENTIFIER', [...path, 'default'], message)
    }
    views.set(name, { name, fields: shown, where, mainFact, isDefault, ...describedOf(entry) })
  }
  return views
}

type Written = string | { readonly field: string; readonly as?: string }

function readFields(
  written: readonly Written[],
  known: ReadonlySet<string>,
  path: Segments,
  { faults }: Context,
): ReadonlyMap<string, string> {
  const shown = new Map<string, string>()
  const seen = new Set<string>()
  const taken = new Set<string>()
  for (const [i, entry] of written.entries()) {
    const { field, as = field } = typeof entry === 'string' ? { field: entry } : entry
    const at = [...path, i]
    if (!known.has(field)) {
      const message = `'${field}' is not a dimension, measure or metric of this model`
      faults.unknown('UNKNOWN_SELECT_ITEM', at, { message, name: field, known })
    } else if (seen.has(field))
      faults.error('DUPLICATE_IDENTIFIER', at, `The view names '${field}' twice; a field has one name in a view`)
    else if (as.trim() === '') faults.error('SCHEMA_VALIDATION', at, 'A name must not be empty')
    else if (taken.has(as)) faults.error('DUPLICATE_IDENTIFIER', at, `Two fields of the view are called '${as}'`)
    else shown.set(as, field)
    seen.add(field)
    taken.add(as)
  }
  return shown
}
