/** Filters as a query writes them, in which fields have other names. */
import { entryOf } from '../invariant.js'
import { splitReference } from './analyse/context.js'
import type { SemanticModel } from './semantic-model.js'
import { isRecord } from './shape.js'

/** The filters with the fields of the model under other names; columns keep theirs. */
export function renamedFilters(filters: readonly unknown[], model: SemanticModel, nameOf: (field: string) => string): unknown[] {
  return filters.map((filter) => renamedFilter(filter, { model, nameOf }, undefined))
}

interface Renamed {
  readonly model: SemanticModel
  readonly nameOf: (field: string) => string
}

/** `target`: the object of which an exists filter counts rows, whose columns come first. */
function renamedFilter(filter: unknown, names: Renamed, target: string | undefined): unknown {
  if (!isRecord(filter)) return filter
  const { field, expression, filters, subquery } = filter
  return {
    ...filter,
    ...(typeof field === 'string' && { field: isOwn(field, target, names) ? field : fieldName(field, names) }),
    ...(typeof expression === 'string' && { expression: renamedText(expression, names) }),
    ...(Array.isArray(filters) && { filters: filters.map((inner) => renamedFilter(inner, names, target)) }),
    ...(isRecord(subquery) && { subquery: renamedSubquery(subquery, names) }),
  }
}

function renamedSubquery(subquery: Readonly<Record<string, unknown>>, names: Renamed): unknown {
  const { filter } = subquery
  const object = subquery['dataObject'] ?? subquery['data_object']
  const target = typeof object === 'string' ? object : undefined
  return Array.isArray(filter) ? { ...subquery, filter: filter.map((inner) => renamedFilter(inner, names, target)) } : subquery
}

const isOwn = (field: string, target: string | undefined, { model }: Renamed): boolean =>
  target !== undefined && model.dataObjects.has(target) && entryOf(model.dataObjects, target).columns.has(field)

function fieldName(field: string, { model, nameOf }: Renamed): string {
  const isField = model.dimensions.has(field) || model.measures.has(field) || model.metrics.has(field)
  return isField ? nameOf(field) : field
}

/** Texts in quotes, and what is between braces. */
const REFERENCE = /'(?:[^']|'')*'|\{([^{}@][^{}]*)\}/g

const renamedText = (expression: string, names: Renamed): string =>
  expression.replaceAll(REFERENCE, (whole, inside: string | undefined) => {
    const reference = inside === undefined ? undefined : splitReference(inside.trim())
    if (!reference || reference.object !== undefined) return whole
    const { name } = reference
    const own = fieldName(name, names)
    const colon = name.lastIndexOf(':')
    return own === name && colon > 0 ? `{[${fieldName(name.slice(0, colon), names)}${name.slice(colon)}]}` : `{[${own}]}`
  })
