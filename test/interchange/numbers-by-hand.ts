/** Queries on an imported model, beside the SQL that a person writes for them, on the same rows. */
import { DuckDBInstance } from '@duckdb/node-api'
import { createHost, definePlugin, type Importer } from '@grainline/core'
import dialect from '@grainline/dialect-duckdb'
import t, { type Test } from 'tap'
import { plainRows } from './plain-rows.js'

export interface NumberCase {
  readonly dimensions?: readonly string[]
  readonly measures?: readonly string[]
  /** Columns of rows, instead of dimensions and measures. */
  readonly fields?: readonly string[]
  /** The view of the model that is asked. */
  readonly view?: string
  /** Segments, or filters. */
  readonly where?: readonly unknown[]
  /** Other parts of the query. */
  readonly more?: Readonly<Record<string, unknown>>
  /** Without it, the query is refused with this code. */
  readonly sql?: string
  readonly code?: string
  /** Whether the order of the rows is part of the case. */
  readonly isOrdered?: boolean
  /** The name of the case. */
  readonly says?: string
}

interface Numbers {
  readonly importer: Importer
  readonly text: string
  /** Whether the text is a model of this server. */
  readonly isOwn?: boolean
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

export function sameNumbers(
  what: string,
  { importer, text, isOwn = false, rows, cases }: Numbers,
  parent: Test = t,
): Promise<unknown> {
  return parent.test(`${what}: numbers are those of SQL written by hand`, async (t) => {
    const service = await serviceWith(t, importer)
    const { session_id: sessionId } = await service.createSession({ metadata: {}, client: 'a', by: undefined })
    const format = isOwn ? undefined : importer.name
    const { model } = await service.loadModel(sessionId, { asker: undefined, model_yaml: text, ...(format && { format }) })
    t.ok(model)
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    t.teardown(() => connection.closeSync())
    await connection.run(rows)
    const rowsOf = async (sql: string, isOrdered = false) =>
      plainRows((await connection.runAndReadAll(sql)).getRowsJson(), isOrdered)
    for (const {
      view,
      dimensions = [],
      measures = [],
      fields,
      where,
      more,
      sql,
      code,
      isOrdered,
      says = measures.join(', '),
    } of cases) {
      const select = fields ? { fields } : { dimensions, measures }
      const query = { ...(view && { view }), select, ...(where && { where }), ...more }
      const compiled = service.compile({ asker: undefined, target: { sessionId }, query, dialect: 'duckdb' })
      if (sql === undefined) await t.rejects(Promise.resolve(compiled), { code }, says)
      else t.same(await rowsOf((await compiled).sql, isOrdered), await rowsOf(sql, isOrdered), says)
    }
  })
}
