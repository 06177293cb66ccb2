import { INT } from '../model/data-type.js'
import { type DataObject, keysOf } from '../model/semantic-model.js'
import { binary, integer } from '../resolve/expressions.js'
import { baseRows } from './base-rows.js'
import type { ObjectReport, UniqueKeyReport } from './report.js'
import { keyAt, numberAt, runStatement } from './run-statement.js'
import { ALWAYS, anyNull, column, counted, item, leftJoin, ordered, part, present, select, sumWhere } from './sql-parts.js'
import type { VerifyContext } from './verify-context.js'

export const MOST_EXAMPLES = 5

/** Every declared key of an object. */
export async function verifyObject(object: DataObject, context: VerifyContext): Promise<ObjectReport> {
  const [first = [], ...others] = keysOf(object)
  const report = await verifyKey({ ...object, key: first }, context)
  const isPrimary = object.key.length > 0
  const unique_keys: UniqueKeyReport[] = isPrimary ? [] : [uniqueKeyOf(report)]
  for (const columns of others) unique_keys.push(uniqueKeyOf(await verifyKey({ ...object, key: columns }, context)))
  return isPrimary
    ? { ...report, unique_keys }
    : { ...report, key: [], duplicate_keys: 0, null_keys: 0, examples: [], unique_keys }
}

type KeyReport = Omit<ObjectReport, 'unique_keys'>

const uniqueKeyOf = ({ key, duplicate_keys, examples }: KeyReport): UniqueKeyReport => ({
  columns: key,
  duplicate_keys,
  examples,
})

/** One statement: the rows of each key, their totals, and examples of keys that several rows have. */
export async function verifyKey(object: DataObject, context: VerifyContext): Promise<KeyReport> {
  const base = baseRows(
    {
      object: object.name,
      name: 'object_rows',
      wanted: object.key.map((name, i) => ({
        name: `key_${i + 1}`,
        expression: { kind: 'column', object: object.name, column: name },
      })),
    },
    context,
  )
  const keys = base.columns.map((c) => ({ ...c, read: column('key_rows', c.name, c.type) }))
  const n = column('key_rows', 'n', INT)
  const values = keys.map((k) => k.read)
  const shared = [...present(values), binary('>', n, integer(1))]
  const totals = select(
    [
      item('row_total', sumWhere(n, []), INT),
      item('null_keys', sumWhere(n, [anyNull(values)]), INT),
      item('duplicate_keys', sumWhere(integer(1), shared), INT),
    ],
    part('key_rows'),
  )
  const duplicates = select([...keys.map((k) => item(k.name, k.read, k.type)), item('n', n, INT)], part('key_rows'), {
    where: shared,
    orderBy: [ordered(n, INT, true), ...keys.map((k) => ordered(k.read, k.type))],
    limit: MOST_EXAMPLES,
  })
  const body = select(
    [
      ...totals.items.map(({ alias, type }) => item(alias, column('totals', alias, type), type)),
      ...duplicates.items.map(({ alias, type }) => item(alias, column('duplicates', alias, type), type)),
    ],
    leftJoin(part('totals'), part('duplicates'), ALWAYS),
  )
  const ctes = [
    ...base.ctes,
    { name: 'key_rows', query: counted('object_rows', base.columns) },
    { name: 'totals', query: totals },
    { name: 'duplicates', query: duplicates },
  ]
  const rows = await runStatement(ctes, body, context)
  return {
    name: object.name,
    key: object.key,
    rows: numberAt(rows[0], 'row_total'),
    duplicate_keys: numberAt(rows[0], 'duplicate_keys'),
    null_keys: numberAt(rows[0], 'null_keys'),
    examples: rows
      .filter((row) => row.get('n') !== null)
      .toSorted((a, b) => numberAt(b, 'n') - numberAt(a, 'n'))
      .map((row) =>
        keyAt(
          row,
          keys.map((k) => k.name),
        ),
      ),
  }
}
