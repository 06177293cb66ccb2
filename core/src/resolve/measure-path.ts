import type { QueryObject } from '../query/query-object.js'

/** Where a query asks for a selected measure: in its list, or by its comparison. */
export const measurePath = ({ compare }: Pick<QueryObject, 'compare'>, name: string, at: number): string =>
  compare?.columns?.includes(name) ? 'compare' : `select.measures[${at}]`
