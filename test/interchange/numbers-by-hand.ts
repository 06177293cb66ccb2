/** Queries on an imported model, beside the SQL that a person writes for them, on the same rows. */
import { DuckDBInstance } from '@duckdb/node-api'
import { createHost, definePlugin, type Importer } from '@grainline/core'
import dialect from '@grainline/dialect-duckdb'
import t, { type Test } from 'tap'

export interface NumberCase {
  readonly dimensions?: readonly string[]
  readonly measures: readonly string[]
  /** The view of the model that is asked. */
  readonly view?: string
  /** Segments, or filters. */
  readonly where?: readonly unknown[]
  /** Without it, the query is refused with this code. */
  readonly sql?: string
  readonly code?: string
  /** The name of the case. */
  readonly says?: string
}

interface Numbers {
  readonly importer: Importer
  readonly text: string
  /** Statements that make the rows. */
  readonly rows: string
  readonly cases: readonly NumberCase[]
}

/** A service that reads a format, and knows the dialect of the rows. */
export async function serviceWith(t: Test, importer: Importer) {
  const plugin = definePlugin({ name: 'importers', host: '*', setup: (host) => host.importers.register(importer) })
  const host = await createHost({ plugins: [dialect, plugin], settings: {} })
  t.teardown(() => host.close())
  return host.service
}

export function sameNumbers(what: string, { importer, text, rows, cases }: Numbers): void {
  t.test(`${what}: numbers are those of SQL written by hand`, async (t) => {
    const service = await serviceWith(t, importer)
    const { session_id: sessionId } = await service.createSession({ metadata: {}, client: 'a', by: undefined })
    const { model } = await service.loadModel(sessionId, { asker: undefined, model_yaml: text, format: importer.name })
    t.ok(model)
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    t.teardown(() => connection.closeSync())
    await connection.run(rows)
    const rowsOf = async (sql: string) =>
      (await connection.runAndReadAll(sql))
        .getRowsJson()
        .map((row) => row.map(plain))
        .sort(byText)
    for (const { view, dimensions = [], measures, where, sql, code, says = measures.join(', ') } of cases) {
      const query = { ...(view && { view }), select: { dimensions, measures }, ...(where && { where }) }
      const compiled = service.compile({ asker: undefined, target: { sessionId }, query, dialect: 'duckdb' })
      if (sql === undefined) await t.rejects(Promise.resolve(compiled), { code }, says)
      else t.same(await rowsOf((await compiled).sql), await rowsOf(sql), says)
    }
  })
}

/** Numbers to nine digits, and moments as days: the engine's types differ between the two statements. */
function plain(value: unknown): unknown {
  const text = String(value)
  if (/^-?\d+(\.\d+)?(e-?\d+)?$/.test(text)) return Number(Number(text).toPrecision(9))
  return value === null ? null : text.replace(/ 00:00:00$/, '')
}

const byText = (a: readonly unknown[], b: readonly unknown[]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
