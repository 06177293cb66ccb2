/**
 * The catalogue of the models: a PostgreSQL in WebAssembly, in its own thread. This file is both sides. The thread loads the same file by its URL,
 * which works for the TypeScript source under tsx and for a bundle.
 */
import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { boundMemory, MOST_ANSWER } from './bounds.js'
import { catalogImage } from './catalog-image.js'
import type { CatalogReply, CatalogRequest, CatalogView, RelationShape } from './catalog-view.js'
import { queryMessage } from './frontend-messages.js'
import { relationDdl } from './relation-ddl.js'
import { type KeptRelation, literal, viewSql } from './view-sql.js'

const ROLE = 'grainline:catalog'
/** The role of all client queries. It may only read. */
const READER = 'grainline'
/** The number of tables that are kept. The least recently used one is removed. */
const MOST_KEPT = 256

/** Starts the thread. `seed` is the dump of an earlier database. Without it, the image of the package is loaded, or a database is initialized. */
export function startCatalogThread(seed: Uint8Array | undefined): Worker {
  const options = { workerData: { role: ROLE, seed } }
  const self = import.meta.url
  if (!self.endsWith('.ts')) return new Worker(new URL(self), options)
  // The TypeScript loader of the main thread does not apply to other threads, so it is registered there first.
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  return new Worker(`import(${loader}).then((tsx) => { tsx.register(); return import(${JSON.stringify(self)}) })`, {
    ...options,
    eval: true,
  })
}

if (!isMainThread && (workerData as { role?: unknown } | null)?.role === ROLE)
  void serve(parentPort!, (workerData as { seed?: Uint8Array }).seed)

async function serve(port: MessagePort, seed: Uint8Array | undefined): Promise<void> {
  const { PGlite } = await import('@electric-sql/pglite')
  boundMemory()
  const image = seed ?? (await catalogImage())
  const database = await PGlite.create(image === undefined ? {} : { loadDataDir: new Blob([new Uint8Array(image)]) })
  const reply = (message: CatalogReply) => port.postMessage(message)
  const made = image === undefined ? new Uint8Array(await (await database.dumpDataDir('gzip')).arrayBuffer()) : undefined
  await database.exec(PREPARED)
  reply({ kind: 'ready', seed: made })
  const catalogue = new Catalogue(database)
  // Requests run in sequence, because the database has one connection.
  let last: Promise<void> = Promise.resolve()
  port.on('message', (request: CatalogRequest) => {
    last = last.then(() =>
      catalogue.answer(request).then(
        (messages) => reply({ kind: 'answer', id: request.id, messages, memory: catalogue.memory }),
        (error: Error) =>
          reply(
            error instanceof TooLarge
              ? { kind: 'large', id: request.id }
              : { kind: 'failed', id: request.id, message: error.message },
          ),
      ),
    )
  })
}

/**
 * The initial statements of each catalogue. The reader may not call `set_config`, because it could change the role; the surface answers it itself.
 * `\\db+` and `\\dRs+` of psql list sizes and subscriptions, which contain nothing secret.
 */
const PREPARED = `
  CREATE ROLE ${READER} NOLOGIN;
  REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC;
  GRANT pg_read_all_stats TO ${READER};
  GRANT SELECT ON pg_catalog.pg_subscription TO ${READER};
`

class TooLarge extends Error {}

class Catalogue {
  readonly #kept = new Map<string, KeptRelation>()
  /** The view of the open transaction. The next query with the same view reuses it. */
  #view: string | undefined
  #made = 0

  constructor(readonly database: PGlite) {}

  get memory(): number {
    return (this.database as unknown as { Module?: { HEAPU8?: Uint8Array } }).Module?.HEAPU8?.byteLength ?? 0
  }

  async answer({ view, question }: CatalogRequest): Promise<Uint8Array> {
    await this.#enter(view, question.fresh)
    const settings = question.settings.map(([name, value]) => `SELECT set_config(${literal(name)}, ${literal(value)}, true)`)
    await this.#run(['SAVEPOINT question', 'RESET ROLE', ...settings, `SET LOCAL ROLE ${READER}`].join(';\n'))
    try {
      for (const statement of question.temporary) await this.#run(statement)
      const messages = await this.#ask(question.messages)
      await this.#leave()
      return messages
    } catch (error) {
      // A database that was stopped within a statement is replaced, so nothing has to be rolled back.
      if (!(error instanceof TooLarge)) await this.#leave()
      throw error
    }
  }

  #leave(): Promise<void> {
    return this.#run('ROLLBACK TO question; RELEASE question')
  }

  /** The size is checked while data arrives, to stop an endless answer. The database may swallow the error of the callback, so it is checked again. */
  async #ask(messages: Uint8Array): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    let bytes = 0
    await this.database.execProtocolRawStream(messages, {
      onRawData: (part) => {
        bytes += part.length
        if (bytes > MOST_ANSWER) throw new TooLarge()
        parts.push(part.slice())
      },
    })
    if (bytes > MOST_ANSWER) throw new TooLarge()
    return Buffer.concat(parts)
  }

  async #enter(view: CatalogView, fresh: boolean): Promise<void> {
    const missing = view.relations.filter(({ shape }) => !this.#kept.has(shape.key))
    const key = JSON.stringify([view.database, view.databases, view.relations.map((r) => [r.schema, r.table, r.shape.key])])
    if (this.#view === key && missing.length === 0 && !fresh) return
    if (this.#view !== undefined) await this.#run('ROLLBACK')
    this.#view = undefined
    for (const { shape } of missing) await this.#make(shape)
    await this.#run('BEGIN')
    await this.#run(viewSql(view, this.#kept, READER))
    this.#view = key
  }

  async #make(shape: RelationShape): Promise<void> {
    const name = `grainline_${++this.#made}`
    await this.database.exec(relationDdl(shape, name, name, READER))
    const { rows } = await this.database.query<{ schema: number; table: number; last: number }>(
      `SELECT c.relnamespace::int8 AS schema, c.oid::int8 AS table,
        greatest((SELECT max(oid::int8) FROM pg_class), (SELECT max(oid::int8) FROM pg_type)) AS last
       FROM pg_class c WHERE c.relname = ${literal(name)} AND c.relkind = 'r'`,
    )
    const { schema, table, last } = rows[0]!
    this.#kept.set(shape.key, { first: schema, last, schema, table })
    if (this.#kept.size <= MOST_KEPT) return
    const [oldest] = this.#kept
    await this.database.exec(
      `DO $$ DECLARE s text := (SELECT nspname FROM pg_namespace WHERE oid = ${oldest![1].schema}); BEGIN EXECUTE format('DROP SCHEMA %I CASCADE', s); END $$`,
    )
    this.#kept.delete(oldest![0])
  }

  /** Runs statements that must succeed. */
  async #run(sql: string): Promise<void> {
    const answer = Buffer.from(await this.database.execProtocolRaw(queryMessage(sql)))
    for (let at = 0; at + 5 <= answer.length; at += 1 + answer.readInt32BE(at + 1)) {
      if (answer[at] === 0x45)
        throw new Error(`the catalogue refused its own statement: ${answer.toString('latin1', at + 5, at + 200)}`)
    }
  }
}
