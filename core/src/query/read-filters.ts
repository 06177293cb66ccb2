import type { Finding } from '../errors.js'
import { readFilter } from './parse-filter.js'
import type { QueryFilter } from './query-object.js'
import { QueryReader } from './reader.js'

/** The filters of a document in canonical form, or the first error in them. */
export function readFilters(
  written: readonly unknown[],
  path = 'where',
): { readonly filters: readonly QueryFilter[] } | { readonly fault: Finding } {
  const reader = new QueryReader()
  const filters = reader.list(written, path, (item, at) => readFilter(item, at, reader))
  const [fault] = reader.findings
  return fault ? { fault } : { filters }
}
