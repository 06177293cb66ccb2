import { INT } from '../model/data-type.js'
import type { DataObject } from '../model/semantic-model.js'
import { binary, integer } from '../resolve/expressions.js'
import { baseRows } from './base-rows.js'
import { runStatement } from './run-statement.js'
import { aggregate, item, part, select } from './sql-parts.js'
import type { VerifyContext } from './verify-context.js'

/** Rejects where the database does not have the table, or does not let it be read. No row is read. */
export async function verifyReadable(object: DataObject, context: VerifyContext): Promise<true> {
  const base = baseRows(
    { object: object.name, name: 'object_rows', wanted: [{ name: 'one', expression: integer(1) }], all: true },
    context,
  )
  const never = [binary('=', integer(1), integer(0))]
  const body = select([item('row_total', aggregate('count', [], INT), INT)], part('object_rows'), { where: never })
  await runStatement(base.ctes, body, context)
  return true
}
