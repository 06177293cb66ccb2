import type { Worker } from 'node:worker_threads'
import type { Logger } from '@grainline/core'
import { FairShares } from '@grainline/core/language'
import { PgError } from '../wire/pg-error.js'
import { MOST_ANSWER } from './bounds.js'
import { startCatalogThread } from './catalog-thread.js'
import type { CatalogQuestion, CatalogReply, CatalogView } from './catalog-view.js'

/** The time limit of a query in milliseconds, after the database has started. The start has none: a busy machine needs minutes, and a client can cancel. */
const MOST_MS = 10_000
/** A database with more memory is replaced, because WebAssembly never releases memory. A fresh one has 190 MB. */
const WORN = 320 * 1024 * 1024

/** A query of a client. */
export interface Look {
  /** The client whose share of time it uses. */
  readonly client: string
  readonly view: CatalogView
  readonly question: CatalogQuestion
}

interface Job extends Look {
  readonly resolve: (messages: Uint8Array) => void
  readonly reject: (error: Error) => void
}

/**
 * The catalogue's database. It is started on first use, and replaced if it does not answer in time. It answers one query at a time. The next query is
 * that of the client that used the least time recently.
 */
export class Catalog {
  #thread: Worker | undefined
  #ready = false
  #seed: Uint8Array | undefined
  readonly #waiting = new Set<Job>()
  readonly #shares = new FairShares()
  #job: Job | undefined
  #timer: NodeJS.Timeout | undefined
  #number = 0
  #closed = false

  constructor(
    readonly logger: Logger,
    readonly mostMs = MOST_MS,
    private readonly start = startCatalogThread,
  ) {}

  /** Starts the database unless it is running. */
  warm(): void {
    if (this.#thread === undefined && !this.#closed) this.#start()
  }

  /** Resolves to the backend messages of the answer. Aborting removes the query; if it is already running, the database is replaced. */
  ask(look: Look, signal: AbortSignal): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (signal.aborted || this.#closed) return reject(signal.aborted ? signal.reason : shuttingDown())
      const job: Job = {
        ...look,
        resolve: (messages) => {
          signal.removeEventListener('abort', stop)
          resolve(messages)
        },
        reject: (error) => {
          signal.removeEventListener('abort', stop)
          reject(error)
        },
      }
      const stop = () => this.#drop(job, signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      this.#waiting.add(job)
      this.warm()
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#refuseWaiting(shuttingDown())
    this.#replace(shuttingDown())
    await this.#thread?.terminate()
  }

  #start(): void {
    const began = performance.now()
    const thread = this.start(this.#seed)
    this.#thread = thread
    this.#ready = false
    thread.on('message', (reply: CatalogReply) => {
      if (thread !== this.#thread) return
      if (reply.kind === 'ready') {
        this.#ready = true
        this.#seed = reply.seed ?? this.#seed
        this.logger.info({ ms: Math.round(performance.now() - began) }, 'The catalogue is ready')
        this.#next()
      } else this.#finish(reply)
    })
    const failed = (reason: object) => {
      if (thread !== this.#thread) return
      this.logger.error(reason, 'The catalogue failed')
      this.#replace(new PgError('XX000', 'the catalogue failed; try again'))
    }
    thread.on('error', (err) => failed({ err }))
    // A thread may end without an error. Its queries would then wait without end.
    thread.on('exit', (code) => failed({ code }))
    thread.unref()
  }

  #next(): void {
    if (!this.#ready || this.#job !== undefined) return
    const job = this.#shares.next(this.#waiting)
    if (job === undefined) return
    this.#waiting.delete(job)
    this.#shares.take(job.client)
    this.#job = job
    this.#timer = setTimeout(
      () => this.#replace(new PgError('57014', 'canceling statement due to statement timeout')),
      this.mostMs,
    )
    this.#thread!.postMessage({ id: ++this.#number, view: job.view, question: job.question })
  }

  #finish(reply: Exclude<CatalogReply, { kind: 'ready' }>): void {
    const job = this.#job
    if (job === undefined || reply.id !== this.#number) return
    clearTimeout(this.#timer)
    this.#leave()
    if (reply.kind === 'answer') job.resolve(reply.messages)
    else if (reply.kind === 'large') job.reject(tooLarge())
    else {
      this.logger.error({ message: reply.message }, 'The catalogue could not be queried')
      job.reject(new PgError('XX000', 'the catalogue could not be queried'))
    }
    // If an internal statement fails, the state of the database is unknown.
    if (reply.kind !== 'answer' || reply.memory > WORN) this.#replace(shuttingDown())
    this.#next()
  }

  #drop(job: Job, reason: Error): void {
    this.#waiting.delete(job)
    if (this.#job === job) this.#replace(reason)
    else job.reject(reason)
  }

  /** Stops the thread and its current query. Waiting queries go to the next thread. */
  #replace(reason: Error): void {
    clearTimeout(this.#timer)
    const thread = this.#thread
    const job = this.#job
    const starting = !this.#ready
    this.#thread = undefined
    this.#ready = false
    this.#leave()
    void thread?.terminate()
    job?.reject(reason)
    // If the database cannot start, waiting queries fail without another attempt.
    if (starting) this.#refuseWaiting(reason)
    if (this.#waiting.size > 0 && !this.#closed) this.#start()
  }

  #leave(): void {
    if (this.#job) this.#shares.leave(this.#job.client)
    this.#job = undefined
  }

  #refuseWaiting(reason: Error): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(reason)
  }
}

const shuttingDown = (): PgError => new PgError('57P01', 'the service is stopping')

const tooLarge = (): PgError =>
  new PgError('54000', `the answer of the catalogue is larger than ${MOST_ANSWER / 2 ** 20} MB`, {
    hint: 'Ask for fewer rows or columns.',
  })
