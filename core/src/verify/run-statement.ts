import { firstOf } from '../invariant.js'
import type { ResultSchema } from '../result/record-batch.js'
import type { Value } from '../result/value-at.js'
import { convertStored } from '../sql/convert-stored.js'
import { lower } from '../sql/lower.js'
import { renderStatement } from '../sql/render.js'
import type { SelectItem, Statement } from '../sql/statement.js'
import { storageClocks } from '../sql/storage-of.js'
import type { JsonValue, KeyExample } from './report.js'
import type { VerifyContext } from './verify-context.js'

/** Renders a statement for the dialect, runs it, and returns its rows by column. */
export async function runStatement(
  ctes: Statement['ctes'],
  body: Statement['body'] & { readonly kind: 'select' },
  context: VerifyContext,
): Promise<readonly ReadonlyMap<string, Value>[]> {
  const { model, dialect, functions, aggregates, time, ask } = context
  const { statement: converted } = convertStored({ kind: 'statement', ctes, body }, storageClocks(model, time.zone), functions)
  const statement = lower(converted, functions, dialect)
  const rows = await ask(renderStatement(statement, { dialect, functions, aggregates, time }), schemaOf(body.items))
  return rows.map((row) => new Map(body.items.map(({ alias }, i) => [alias, row[i] ?? null])))
}

const schemaOf = (items: readonly SelectItem[]): ResultSchema =>
  items.map(({ alias, type }) => ({ name: alias, type, role: 'field' }))

export const numberAt = (row: ReadonlyMap<string, Value> | undefined, name: string): number => Number(row?.get(name) ?? 0)

/** The values of a key; for a key of one column the value itself. */
export function keyAt(row: ReadonlyMap<string, Value>, names: readonly string[]): KeyExample {
  const values = names.map((name) => jsonValue(row.get(name) ?? null))
  return values.length === 1 ? firstOf(values) : values
}

function jsonValue(value: Value): JsonValue {
  if (typeof value !== 'bigint') return value
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value.toString()
}
