import { batchFromRows, encodeJsonRows, jsonColumns } from '@grainline/core/format'
import type { RowsBehind, RowsRequest } from '../context.js'

type Fact = RowsBehind['facts'][number]

/** `RowsResponse` in pieces: rows are sent as they arrive. */
export async function* rowsResponse(
  { measure, cell }: Pick<RowsRequest, 'measure' | 'cell'>,
  { dialect, answered, facts }: RowsBehind,
): AsyncGenerator<Uint8Array | string> {
  const head = { measure, cell, reconciled: facts.every((fact) => fact.reconciled), dialect }
  yield `${JSON.stringify(head).slice(0, -1)},"value":${await textOf(answered)},"facts":[`
  for (const [i, fact] of facts.entries()) {
    if (i > 0) yield ','
    yield* factPieces(fact)
  }
  yield ']}'
}

async function* factPieces({ measure, object, reconciled, rowCount, offered, answered, aggregated, rows }: Fact) {
  const execution = await rows()
  const { timezone } = execution.outcome()
  const head = {
    measure,
    object,
    reconciled,
    row_count: rowCount,
    offered_columns: offered,
    sql: execution.compiled.withheld ? null : execution.compiled.sql,
    columns: jsonColumns(execution.schema),
  }
  yield `${JSON.stringify(head).slice(0, -1)},"value":${await textOf(answered)},"aggregated":${await textOf(aggregated)},"rows":`
  yield* encodeJsonRows(execution.batches, { timezone })
  const { rowCount: given, warnings } = execution.outcome()
  const tail = { truncated: given < rowCount, warnings: warnings.filter(({ code }) => code !== 'DEFAULT_LIMIT_APPLIED') }
  yield `,${JSON.stringify(tail).slice(1)}`
}

/** A value as the rows of an answer show it. */
async function textOf({ column, value }: Fact['answered']): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of encodeJsonRows(only(batchFromRows([column], [[value]])), { timezone: 'UTC' })) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8').slice(2, -2)
}

async function* only<T>(value: T): AsyncGenerator<T> {
  yield value
}
