/** The worker of a tab: PostgreSQL, and the server in front of it. */
import { PGlite } from '@electric-sql/pglite'
import { draftModel } from '@grainline/core'
import type { FastifyInstance } from 'fastify'
import { place } from '../node/fs.js'
import { makeCsvTable } from './csv.js'
import { exampleFiles, exampleModel } from './example.js'
import type { Answer, Asked, Data, Request, Told } from './messages.js'
import { parquetTable } from './parquet.js'
import { type PublishedModel, serverOf } from './server.js'
import { makeTable, tableName } from './table.js'

const tell = (message: Told, moved: Transferable[] = []): void => self.postMessage(message, { transfer: moved })
const doing = (what: string): void => tell({ kind: 'doing', what })

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

let server: FastifyInstance | undefined
const ends = new Map<number, AbortController>()

self.addEventListener('message', ({ data: asked }: MessageEvent<Asked>) => {
  if (asked.kind === 'end') return ends.get(asked.number)?.abort()
  const { number } = asked
  const work =
    asked.kind === 'start' ? start(asked.data).then(() => tell({ kind: 'started', number })) : answer(number, asked.request)
  work.catch((error: unknown) => tell({ kind: 'failed', number, message: messageOf(error) }))
})

async function start(data: Data): Promise<void> {
  doing('PostgreSQL starts')
  const database = await PGlite.create()
  server = data.kind === 'example' ? await example(database) : await ofFiles(database, data.files)
}

async function example(database: PGlite): Promise<FastifyInstance> {
  for (const { name, file } of exampleFiles) {
    doing(`the table ${name} is filled`)
    await makeTable(database, await parquetTable(name, await (await fetched(file)).arrayBuffer()))
  }
  doing('the server starts')
  return serverOf(database, [published('flights', await (await fetched(exampleModel)).text())])
}

async function ofFiles(database: PGlite, files: readonly File[]): Promise<FastifyInstance> {
  const models = files.filter(({ name }) => MODEL.test(name))
  for (const file of files.filter(({ name }) => !MODEL.test(name)))
    await addFile(database, file).catch((error: unknown) => {
      throw new Error(`${file.name} cannot be read: ${messageOf(error)}.`)
    })
  const given = await Promise.all(models.map(async (file) => published(tableName(file.name), await file.text())))
  const used = given.length > 0 ? given : [published('your data', await firstModelOf(database))]
  doing('the server starts')
  return serverOf(database, used)
}

const MODEL = /\.(?:ya?ml|json)$/i

async function addFile(database: PGlite, file: File): Promise<void> {
  if (/\.sql$/i.test(file.name)) {
    doing(`the statements of ${file.name} run`)
    await database.exec(await file.text())
    return
  }
  const name = tableName(file.name)
  doing(`the table ${name} is filled`)
  if (/\.parquet$/i.test(file.name)) await makeTable(database, await parquetTable(name, await file.arrayBuffer()))
  else await makeCsvTable(database, name, file)
}

/** The text of a model that `grainline init` would write. */
async function firstModelOf(database: PGlite): Promise<string> {
  doing('the rows are read for a first model')
  const drafting = await serverOf(database, [])
  const text = await draftModel(drafting.grainline, { name: 'your data' })
  await drafting.close()
  return text
}

async function fetched(address: string): Promise<Response> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`The file ${address} cannot be read (${response.status})`)
  return response
}

function published(session: string, text: string): PublishedModel {
  const model = `/${session}.yaml`
  place(model, text)
  return { session, model }
}

async function answer(number: number, { method, url, headers, body }: Request): Promise<void> {
  if (server === undefined) throw new Error('The server of this tab has not started')
  const end = new AbortController()
  ends.set(number, end)
  try {
    const options = { method: method as 'GET', url, headers, signal: end.signal, ...(body !== undefined && { payload: body }) }
    const { statusCode, headers: told, rawPayload } = await server.inject(options)
    const bytes = new Uint8Array(rawPayload)
    const response: Answer = { status: statusCode, headers: textsOf(told), body: bytes }
    tell({ kind: 'response', number, response }, [bytes.buffer])
  } finally {
    ends.delete(number)
  }
}

const textsOf = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
