import { DuckDBInstance } from '@duckdb/node-api'
import type { Test } from 'tap'
import { ask } from '../support/answers.js'

/** The statement answers as the one that was written by hand; in the same order, if that is asked. */
export async function meant(
  t: Pick<Test, 'fail' | 'same' | 'teardown'>,
  data: string,
  sql: string,
  byHand: string | undefined,
  isOrdered = false,
): Promise<void> {
  if (byHand === undefined) return void t.fail('no statement was written by hand in numbers.ts')
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  t.teardown(() => connection.closeSync())
  await connection.run(data)
  const rowsOf = async (text: string) => {
    const { rows } = await ask(connection, text)
    const shown = rows.map((row) =>
      row
        .map((cell) =>
          cell === null ? 'NULL' : Number.isNaN(Number(cell)) ? String(cell) : String(Number(Number(cell).toPrecision(12))),
        )
        .join(' | '),
    )
    return isOrdered ? shown : shown.sort()
  }
  t.same(await rowsOf(sql), await rowsOf(byHand), 'the number that was meant')
}
