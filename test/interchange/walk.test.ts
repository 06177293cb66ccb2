/** A real database and a model of each format over it, as one served process reads them: what REST answers is what SQL by hand says. */
import { cpSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { parse } from 'yaml'
import { serve } from '../rest/serve.js'
import { databaseFile } from '../support/database-file.js'
import { ownFolder } from '../support/own-folder.js'
import { plainRows } from './plain-rows.js'

const MODELS = path.join(process.cwd(), 'test/interchange/walk')
const CHINOOK = path.join(process.cwd(), 'test/first-model/chinook')

/** The models by their file or folder. */
type Walk = Readonly<Record<string, { readonly format: string; readonly asks: readonly Ask[] }>>

interface Ask {
  readonly view?: string
  readonly dimensions?: readonly string[]
  readonly measures: readonly string[]
  readonly where?: readonly unknown[]
  readonly sql: string
}

const DAYS =
  "CREATE TABLE days AS SELECT day::date AS day FROM range(DATE '2021-01-01', DATE '2026-01-01', INTERVAL 1 DAY) r(day)"

t.setTimeout(300_000)

t.test('a model of each format over a real database has the numbers of SQL written by hand', async (t) => {
  const folder = ownFolder(t)
  cpSync(MODELS, folder, { recursive: true })
  const rows = readFileSync(path.join(CHINOOK, 'database.sql'), 'utf8').replaceAll('FOLDER', CHINOOK)
  const database = await databaseFile(path.join(folder, 'chinook.duckdb'), `${rows};${DAYS}`)
  const walk = parse(readFileSync(path.join(folder, 'questions.yaml'), 'utf8')) as Walk
  const instance = await DuckDBInstance.create(database, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  const byHand = new Map<Ask, readonly unknown[]>()
  for (const ask of new Set(Object.values(walk).flatMap(({ asks }) => asks)))
    byHand.set(ask, plainRows((await connection.runAndReadAll(ask.sql)).getRowsJson()))
  connection.closeSync()
  instance.closeSync()

  const files = Object.entries(walk).map(([file, { format }]) => `${format}:${file}`)
  const settings = { QUERY_EXECUTE: 'true', DUCKDB_DATABASE: database, DB_VENDOR: 'duckdb', MODEL_FILES: files.join(',') }
  const { ask } = await serve(settings, folder)
  const { models } = (await ask('GET', '/v1/models')).body
  t.equal(models.length, files.length)
  for (const [file, { asks }] of Object.entries(walk)) {
    const session = path.parse(file).name
    const [{ model_id }] = (await ask('GET', `/v1/sessions/${session}/models`)).body
    for (const question of asks) {
      const { view, dimensions = [], measures, where, sql: _ } = question
      const query = { ...(view && { view }), select: { dimensions, measures }, ...(where && { where }) }
      const { body } = await ask('POST', `/v1/sessions/${session}/query/execute`, { model_id, query })
      t.same(body.rows ? plainRows(body.rows) : body, byHand.get(question), `${file}: ${dimensions} ${measures}`)
    }
  }
})
