import type { Driver } from './driver.js'

/** A value as plain text: `[1, 2]`, `12:00:00+02`, … as DuckDB prints it; bytes as `\x` and hexadecimal digits. */
export function plainText(value: unknown, { api }: Driver): string {
  if (value instanceof api.DuckDBBlobValue) return `\\x${Buffer.from(value.bytes).toString('hex')}`
  return String(value)
}

/** A value as JSON text. Numbers keep all their digits, maps become objects, bytes and types without a JSON form become strings. */
export function jsonText(value: unknown, driver: Driver): string {
  const { api } = driver
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  if (typeof value === 'boolean' || typeof value === 'bigint' || value instanceof api.DuckDBDecimalValue) return String(value)
  if (value instanceof api.DuckDBListValue || value instanceof api.DuckDBArrayValue) {
    return `[${value.items.map((item) => jsonText(item, driver)).join(',')}]`
  }
  if (value instanceof api.DuckDBStructValue) return jsonObject(Object.entries(value.entries), driver)
  if (value instanceof api.DuckDBMapValue) {
    return jsonObject(
      value.entries.map((entry) => [String(entry.key), entry.value] as const),
      driver,
    )
  }
  if (value instanceof api.DuckDBUnionValue) return jsonText(value.value, driver)
  return JSON.stringify(plainText(value, driver))
}

const jsonObject = (entries: readonly (readonly [string, unknown])[], driver: Driver): string =>
  `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${jsonText(value, driver)}`).join(',')}}`
