/** The groups of a rollup table as two readings have them: a digest of the values of each, by a digest of its dimensions. */
import { createHash } from 'node:crypto'
import type { VendorConnection } from '../../execute/vendor.js'
import type { ResultSchema } from '../../result/record-batch.js'
import { rowsOf, type Value } from '../../result/value-at.js'

export interface Groups {
  readonly values: ReadonlyMap<string, string>
  /** Rows with the dimensions of another row. */
  readonly repeated: number
}

interface Reading {
  readonly connection: Pick<VendorConnection, 'query'>
  readonly schema: ResultSchema
  /** The number of columns that are dimensions, which come first. */
  readonly keys: number
  readonly signal: AbortSignal | undefined
}

export async function readGroups(sql: string, { connection, schema, keys, signal }: Reading): Promise<Groups> {
  const values = new Map<string, string>()
  let repeated = 0
  for await (const batch of connection.query(sql, { schema, ...(signal && { signal }) })) {
    for (const row of rowsOf(batch, schema)) {
      const key = digest(row.slice(0, keys))
      if (values.has(key)) repeated++
      values.set(key, digest(row.slice(keys)))
    }
  }
  return { values, repeated }
}

const digest = (row: readonly Value[]): string =>
  createHash('sha256')
    .update(JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : Number.isNaN(value) ? 'NaN' : value)))
    .digest('base64')
    .slice(0, 22)

/** What a comparison of a table with the facts found. */
export interface Compared {
  /** Groups that equal those of the facts, before the build and after it. */
  readonly equal: number
  /** Groups that the facts changed meanwhile: nothing is known of them. */
  readonly changed: number
  readonly different: number
  readonly repeated: number
}

/** Groups on whose values both readings of the facts agree must be those of the table. */
export function compareGroups(table: Groups, before: Groups, after: Groups): Compared {
  let [equal, changed, different] = [0, 0, 0]
  for (const key of new Set([...before.values.keys(), ...after.values.keys(), ...table.values.keys()])) {
    const [was, is, has] = [before, after, table].map(({ values }) => values.get(key))
    if (was !== is) changed++
    else if (has === is) equal++
    else different++
  }
  return { equal, changed, different, repeated: table.repeated }
}

/** What is wrong with it; `undefined` for a table that is proved. */
export function faultOf({ equal, changed, different, repeated }: Compared): string | undefined {
  if (repeated > 0) return `${repeated} rows have the dimensions of another row, as of two builds in one table`
  if (different > 0) return `${different} groups are not those of the facts`
  return equal === 0 && changed > 0 ? 'every group changed while it was built, so that nothing was compared' : undefined
}
