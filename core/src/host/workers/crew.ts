/** The first process of a server with workers. It starts them, replaces workers that end, and serves nothing itself. */
import cluster, { type Worker } from 'node:cluster'
import { randomBytes } from 'node:crypto'
import type { Logger } from '../../logger.js'
import type { Settings } from '../../settings/core-variables.js'
import { MOST_WORKER_NUMBERS } from '../../workers/worker-ids.js'
import type { FromWorker, ToWorker } from './messages.js'
import { Switchboard } from './switchboard.js'

/** A worker that ends repeatedly is restarted with growing delays. */
const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 10_000
/** A worker that ran longer than this did not fail to start. */
const STEADY_MS = 60_000

interface Member {
  readonly number: number
  readonly worker: Worker
  readonly began: number
  /** True once it listens; false if it has ended before. */
  readonly ready: Promise<boolean>
  /** Its exit code. */
  readonly ended: Promise<number>
}

export interface CrewOptions {
  readonly count: number
  readonly settings: Pick<Settings, 'MAX_SESSIONS' | 'SESSION_RATE_LIMIT'>
  readonly logger: Logger
}

export class Crew {
  readonly #members = new Map<number, Member>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #switchboard: Switchboard
  readonly #secret = randomBytes(32)
  #address: string | undefined
  #lastNumber = 0
  #failures = 0
  #closing = false

  constructor(private readonly options: CrewOptions) {
    this.#switchboard = new Switchboard(options.settings)
    // Maps and bytes are passed unchanged.
    cluster.setupPrimary({ serialization: 'advanced' })
    // No worker outlives this process, whatever its end.
    process.once('exit', () => {
      for (const { worker } of this.#members.values()) worker.process.kill('SIGKILL')
    })
  }

  /** Where the workers listen, once they have started. */
  get address(): string | undefined {
    return this.#address
  }

  /** Starts all workers. If one cannot start, all end, and it resolves to the exit code of that one. */
  async start(): Promise<number | undefined> {
    // The first one alone, so that an invalid setting is reported once.
    const first = await this.#started(this.#fork())
    if (first !== undefined) return first
    const others = Array.from({ length: this.options.count - 1 }, () => this.#started(this.#fork()))
    const failed = (await Promise.all(others)).find((code) => code !== undefined)
    if (failed !== undefined) await this.close()
    for (const member of this.#members.values()) this.#keepUp(member)
    return failed
  }

  /** Every worker reads model files and certificates again. */
  async reload(): Promise<void> {
    for (const { worker } of this.#members.values()) tell(worker, { kind: 'reload' })
  }

  /** Every worker finishes its current work. Resolves when the last one has ended. */
  async close(): Promise<void> {
    this.#closing = true
    for (const timer of this.#timers) clearTimeout(timer)
    const members = [...this.#members.values()]
    for (const { worker } of members) tell(worker, { kind: 'close' })
    await Promise.all(members.map(({ ended }) => ended))
  }

  /** The exit code, if it has ended before it was ready. */
  async #started({ ready, ended }: Member): Promise<number | undefined> {
    return (await ready) ? undefined : (await ended) || 1
  }

  #fork(): Member {
    const number = this.#nextNumber()
    const worker = cluster.fork()
    const ended = new Promise<number>((resolve) => worker.once('exit', (code) => resolve(code ?? 1)))
    const ready = new Promise<boolean>((resolve) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'hello') this.#welcome(number, worker)
        else if (message.kind === 'ready') {
          this.#address = message.address
          resolve(true)
        } else this.#switchboard.heard(number, message)
      })
      void ended.then(() => resolve(false))
    })
    const member: Member = { number, worker, began: performance.now(), ready, ended }
    this.#members.set(number, member)
    void ended.then(() => {
      this.#members.delete(number)
      this.#switchboard.disconnect(number)
    })
    return member
  }

  #welcome(number: number, worker: Worker): void {
    this.#switchboard.connect(number, (message) => tell(worker, message))
    tell(worker, { kind: 'welcome', number, count: this.options.count, secret: this.#secret })
    if (this.#closing) tell(worker, { kind: 'close' })
  }

  /** Replaces the worker when it ends. */
  #keepUp({ number, worker, began, ended }: Member): void {
    const { logger } = this.options
    void ended.then((code) => {
      if (this.#closing) return
      this.#failures = performance.now() - began > STEADY_MS ? 0 : this.#failures + 1
      const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failures - 1))
      const how = worker.process.signalCode ?? `exit code ${code}`
      logger.error(
        { worker: number, how, delayMs },
        `Worker ${number} has ended (${how}), and its sessions with it; another starts`,
      )
      const timer = setTimeout(() => {
        this.#timers.delete(timer)
        const next = this.#fork()
        this.#keepUp(next)
        void next.ready.then((ready) => {
          if (ready) logger.info({ worker: next.number }, `Worker ${next.number} serves`)
        })
      }, delayMs)
      this.#timers.add(timer)
    })
  }

  /** A number is reused only after all others: an id of an ended worker must not refer to a new one. */
  #nextNumber(): number {
    do this.#lastNumber = (this.#lastNumber % (MOST_WORKER_NUMBERS - 1)) + 1
    while (this.#members.has(this.#lastNumber))
    this.#switchboard.forgetNumber(this.#lastNumber)
    return this.#lastNumber
  }
}

/** A message to an ended worker is ignored. */
function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.process.send?.(message, undefined, undefined, () => undefined)
}
