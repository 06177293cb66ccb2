/** Public models of other products with their rows and answers: what the importer says of each item, and which numbers are equal. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { createHost, definePlugin, type Importer } from '@grainline/core'
import dialect from '@grainline/dialect-duckdb'
import { parse } from 'yaml'
import { GrainlineError } from '../../core/src/errors.js'
import { type Project, readProject } from '../../core/src/service/project.js'
import { cube } from '../../plugins/importer-cube/src/index.js'
import { databricks } from '../../plugins/importer-databricks/src/index.js'
import { dbt } from '../../plugins/importer-dbt/src/index.js'
import { lookml } from '../../plugins/importer-lookml/src/index.js'
import { ossie } from '../../plugins/importer-ossie/src/index.js'
import { snowflake } from '../../plugins/importer-snowflake/src/index.js'
import { tmdl } from '../../plugins/importer-tmdl/src/index.js'
import { plainRows } from './plain-rows.js'

const FOLDER = path.join(process.cwd(), 'test/interchange')

const IMPORTERS: readonly Importer[] = [cube, databricks, dbt, lookml, ossie, snowflake, tmdl]

/** The file `questions.yaml` of a public model. */
interface PublicModel {
  readonly format: string
  /** Who published it, as a row of the page says it. */
  readonly name: string
  /** The file with the statements that make the rows, if several models have them. */
  readonly rows?: string
  readonly questions: readonly Question[]
}

interface Question {
  /** Its name where it was published, or what is asked. */
  readonly says: string
  readonly query: Readonly<Record<string, unknown>>
  /** The answer, or a statement that gives it. */
  readonly rows?: readonly (readonly unknown[])[]
  readonly sql?: string
  /** The columns of the statement, in the order of the query. */
  readonly columns?: readonly string[]
  /** Why the rows here are others, and a statement that gives them, or the error. */
  readonly differs?: { readonly why: string; readonly sql?: string; readonly error?: string }
  /** The item that is refused: a line of the list says so. */
  readonly refused?: string
}

export interface Answered {
  readonly question: Question
  readonly outcome: 'equal' | 'differs' | 'refused'
  /** What the test expects otherwise. */
  readonly fault?: string
}

export interface Measured {
  readonly model: PublicModel
  readonly counts: Readonly<Record<'exact' | 'rewritten' | 'inert' | 'refused', number>>
  readonly answers: readonly Answered[]
}

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(path.join(FOLDER, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`)
    .sort()

export const publicModels: readonly string[] = foldersIn('public')

/** Models of ours, of formats of which no public model with rows can be a test. */
export const ownModels: readonly string[] = foldersIn('ours')

/** Reads a public model unchanged, and asks each of its questions. */
export async function measured(name: string): Promise<Measured> {
  const folder = path.join(FOLDER, name)
  const model = parse(readFileSync(path.join(folder, 'questions.yaml'), 'utf8')) as PublicModel
  const importer = IMPORTERS.find(({ name }) => name === model.format)
  if (!importer) throw new Error(`${name}: no importer reads '${model.format}'`)
  const project = await projectIn(folder, importer)
  const plugin = definePlugin({ name: 'importers', host: '*', setup: (host) => host.importers.register(importer) })
  // No connection says the stored types, so that a day of a time is one.
  const host = await createHost({ plugins: [dialect, plugin], settings: { COMPILE_UNKNOWN_TYPES: 'cast' } })
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  try {
    await connection.run(`SET file_search_path = '${folder}'`)
    await connection.run(
      readFileSync(model.rows ? path.join(path.dirname(folder), model.rows) : path.join(folder, 'rows.sql'), 'utf8'),
    )
    const { service } = host
    const foreign = { asker: undefined, model_yaml: project.text, format: model.format }
    const { counts, losses } = await service.convert(foreign)
    const { session_id: sessionId } = await service.createSession({ metadata: {}, client: 'a', by: undefined })
    await service.loadModel(sessionId, foreign)
    const rowsOf = async (sql: string) => plainRows((await connection.runAndReadAll(sql)).getRowsJson())
    const refusals = losses.filter(({ kind }) => kind === 'refused').map(({ message }) => message)
    const compiled = async (query: Question['query']): Promise<string> =>
      (await service.compile({ asker: undefined, target: { sessionId }, query, dialect: 'duckdb' })).sql
    const answers: Answered[] = []
    for (const question of model.questions) answers.push(await answered(question, { rowsOf, compiled, refusals }))
    return { model, counts, answers }
  } finally {
    connection.closeSync()
    await host.close()
  }
}

async function projectIn(folder: string, importer: Importer): Promise<Project> {
  const file = readdirSync(folder).find((name) => /^project(\.|$)/.test(name)) ?? 'project'
  const project = await readProject(path.join(folder, file), importer)
  if ('refused' in project) throw new Error(`${folder}: ${project.refused}`)
  return project
}

interface World {
  readonly rowsOf: (sql: string) => Promise<readonly unknown[]>
  readonly compiled: (query: Question['query']) => Promise<string>
  readonly refusals: readonly string[]
}

async function answered(question: Question, { rowsOf, compiled, refusals }: World): Promise<Answered> {
  const { query, rows, sql = '', columns, differs, refused } = question
  const sqlOf = (text: string) => (columns ? `SELECT ${columns.join(', ')} FROM (${text.replace(/;\s*$/, '')})` : text)
  if (refused !== undefined) {
    const isSaid = refusals.some((message) => message.includes(`'${refused}'`))
    const asked = await compiled(query).then(
      () => 'and yet the query is answered',
      () => undefined,
    )
    const fault = isSaid ? asked : `no line says that '${refused}' is refused`
    return { question, outcome: 'refused', ...(fault !== undefined && { fault }) }
  }
  const theirs = JSON.stringify(rows ? plainRows(rows) : await rowsOf(sqlOf(sql)))
  const ours = JSON.stringify(await compiled(query).then(rowsOf, codeOf))
  const expected = differs ? JSON.stringify(differs.error ?? (await rowsOf(sqlOf(differs.sql ?? '')))) : theirs
  const outcome = differs ? ('differs' as const) : ('equal' as const)
  if (ours !== expected) return { question, outcome, fault: `${ours}\nis not\n${expected}` }
  if (differs && ours === theirs) return { question, outcome, fault: 'the rows are equal, and are said to differ' }
  return { question, outcome }
}

const codeOf = (error: unknown): string => (error instanceof GrainlineError ? error.code : String(error))
