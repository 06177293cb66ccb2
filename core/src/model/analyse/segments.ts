import { OR_MISSING_OF_GROUP, orMissingFault } from '../filter-value.js'
import { operatorOf, operatorSpellings } from '../operators.js'
import type { Segments as Path } from '../parse/locate.js'
import type { Segment } from '../semantic-model.js'
import { isRecord } from '../shape.js'
import { type Context, describedOf, keysOf } from './context.js'
import { isField } from './filter-columns.js'

const MAX_DEPTH = 64

/** Named filters. Names and operators are checked here; values are checked when the filters are resolved. */
export function readSegments(context: Context): ReadonlyMap<string, Segment> {
  const segments = new Map<string, Segment>()
  for (const [name, entry] of Object.entries(context.document.segments ?? {})) {
    const path = ['segments', name]
    if (context.isBroken(path)) continue
    for (const [i, filter] of entry.filters.entries()) checkFilter(filter, [...path, 'filters', i], context, 0)
    segments.set(name, { name, filters: entry.filters, ...describedOf(entry) })
  }
  return segments
}

function checkFilter(filter: unknown, path: Path, context: Context, depth: number): void {
  const { faults } = context
  if (typeof filter === 'string' || (isRecord(filter) && filter['segment'] !== undefined))
    faults.error('INVALID_SETTING', path, 'A segment cannot name another; segments are not nested')
  else if (!isRecord(filter) || depth > MAX_DEPTH)
    faults.error('SCHEMA_VALIDATION', path, 'A condition is {field, op, value}, {expression}, or a group {logic, filters}')
  else if (Array.isArray(filter['filters'])) {
    if (keepsMissing(filter) && filter['negated'] !== true) faults.error('INVALID_FILTER_VALUE', path, OR_MISSING_OF_GROUP)
    for (const [i, member] of filter['filters'].entries()) checkFilter(member, [...path, 'filters', i], context, depth + 1)
  } else if (filter['expression'] === undefined) checkLeaf(filter, path, context)
}

/** Segments are written as in a query, in which either spelling of a key is accepted. */
const keepsMissing = (filter: Readonly<Record<string, unknown>>): boolean =>
  (filter['or_missing'] ?? filter['orMissing']) === true

function checkLeaf(filter: Readonly<Record<string, unknown>>, path: Path, context: Context): void {
  const { faults, document } = context
  const { field, op } = filter
  if (typeof field !== 'string' || typeof op !== 'string') {
    faults.error('SCHEMA_VALIDATION', path, "A condition needs a 'field' and an 'op'")
    return
  }
  const operator = operatorOf(op)
  const unkept = operator && keepsMissing(filter) ? orMissingFault(operator, [filter['value']].flat()) : undefined
  if (operator === undefined)
    faults.unknown('INVALID_FILTER_OPERATOR', [...path, 'op'], {
      message: `'${op}' is not an operator`,
      name: op,
      known: operatorSpellings(),
    })
  else if (unkept !== undefined) faults.error('INVALID_FILTER_VALUE', path, unkept)
  else if (operator !== 'exists' && operator !== 'nonexists' && !isField(field, context)) {
    const message = `'${field}' is not a dimension of this model`
    faults.unknown('UNKNOWN_FILTER_FIELD', [...path, 'field'], { message, name: field, known: keysOf(document.dimensions ?? {}) })
  }
}
