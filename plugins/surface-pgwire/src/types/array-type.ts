/** Reads arrays. Clients send them as parameters; answers never contain them. */
import { OID } from './pg-type.js'

/** The type ids of arrays by those of their items (PostgreSQL, `pg_type.dat`). */
const ARRAYS: ReadonlyMap<number, number> = new Map([
  [OID.bool, 1000],
  [OID.name, 1003],
  [OID.int2, 1005],
  [OID.int4, 1007],
  [OID.text, 1009],
  [OID.bpchar, 1014],
  [OID.varchar, 1015],
  [OID.int8, 1016],
  [OID.float4, 1021],
  [OID.float8, 1022],
  [OID.timestamp, 1115],
  [OID.date, 1182],
  [OID.time, 1183],
  [OID.timestamptz, 1185],
  [OID.numeric, 1231],
  [OID.uuid, 2951],
])
const ITEMS: ReadonlyMap<number, number> = new Map([...ARRAYS].map(([item, array]) => [array, item]))

/** The array type of an item type. The default is an array of texts. */
export const arrayOf = (item: number): number => ARRAYS.get(item) ?? ARRAYS.get(OID.text)!

export const isArray = (oid: number): boolean => ITEMS.has(oid)

/** The text of a binary array (`array_send`). Throws a `RangeError` for multidimensional arrays. */
export function readArray(value: Buffer, read: (item: Buffer, type: number) => string): string {
  const dimensions = value.readInt32BE(0)
  const type = value.readInt32BE(8)
  if (dimensions === 0) return '{}'
  if (dimensions !== 1) throw new RangeError('an array of arrays')
  const items: string[] = []
  for (let at = 20; items.length < value.readInt32BE(12); ) {
    const length = value.readInt32BE(at)
    at += 4
    items.push(length < 0 ? 'NULL' : quoted(read(value.subarray(at, at + length), type)))
    at += Math.max(0, length)
  }
  return `{${items.join(',')}}`
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
