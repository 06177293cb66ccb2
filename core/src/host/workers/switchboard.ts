/** The first process between its workers: it forwards requests and replies. */
import type { Settings } from '../../settings/core-variables.js'
import type { Topic } from '../../workers/workers.js'
import { FrontDesk } from './front-desk.js'
import {
  ADMIT_SESSION,
  END_SESSION,
  type FromWorker,
  LEAVE_SEAT,
  MOVE_SEAT,
  type Reply,
  replyOf,
  TAKE_SEAT,
  type ToWorker,
} from './messages.js'

type Send = (message: ToWorker) => void
type Ask = Extract<FromWorker, { readonly kind: 'ask' }>

/** A request that some workers have not answered yet. */
interface Waiting {
  readonly from: number
  /** The number of the request at its sender. */
  readonly id: number
  readonly asked: Set<number>
  readonly replies: Reply[]
}

export class Switchboard {
  readonly #lines = new Map<number, Send>()
  readonly #served = new Set<number>()
  readonly #waiting = new Map<number, Waiting>()
  readonly #desk: FrontDesk
  readonly #topics = new Map<string, (worker: number, question: never) => unknown>()
  #last = 0

  constructor(limits: Pick<Settings, 'MAX_SESSIONS' | 'SESSION_RATE_LIMIT'>) {
    this.#desk = new FrontDesk(limits)
    const desk = this.#desk
    this.#answer(TAKE_SEAT, (worker, question) => desk.take(worker, question))
    this.#answer(MOVE_SEAT, (_worker, question) => desk.move(question))
    this.#answer(LEAVE_SEAT, (_worker, seat) => desk.leave(seat))
    this.#answer(ADMIT_SESSION, (worker, client) => desk.admit(worker, client))
    this.#answer(END_SESSION, (worker) => desk.sessionEnded(worker))
  }

  /** From now on the worker receives requests. */
  connect(worker: number, send: Send): void {
    this.#lines.set(worker, send)
    this.#served.add(worker)
  }

  /** The worker has ended: its places are free, and waiting senders are informed. */
  disconnect(worker: number): void {
    if (!this.#lines.delete(worker)) return
    this.#desk.forget(worker)
    for (const [key, waiting] of this.#waiting) {
      if (waiting.from === worker) this.#waiting.delete(key)
      else if (waiting.asked.has(worker)) this.#took(key, worker, { kind: 'gone', worker, served: true })
    }
  }

  /** A number is free again. */
  forgetNumber(worker: number): void {
    this.#served.delete(worker)
  }

  heard(worker: number, message: FromWorker): void {
    if (message.kind === 'ask') this.#asked(worker, message)
    if (message.kind === 'reply') this.#took(message.id, worker, message.reply)
  }

  #asked(from: number, { id, to, topic, question }: Ask): void {
    const send = this.#lines.get(from)
    if (to === 'first') {
      const work = () => this.#topics.get(topic)?.(from, question as never)
      void replyOf(work).then((reply) => send?.({ kind: 'replies', id, replies: [reply] }))
      return
    }
    const wanted = to === 'others' ? [...this.#lines.keys()].filter((worker) => worker !== from) : [to]
    const there = wanted.filter((worker) => this.#lines.has(worker))
    const replies = wanted
      .filter((worker) => !there.includes(worker))
      .map((worker): Reply => ({ kind: 'gone', worker, served: this.#served.has(worker) }))
    const key = ++this.#last
    this.#waiting.set(key, { from, id, asked: new Set(there), replies })
    for (const worker of there) this.#lines.get(worker)?.({ kind: 'question', id: key, topic, question })
    this.#settle(key)
  }

  #took(key: number, worker: number, reply: Reply): void {
    const waiting = this.#waiting.get(key)
    if (!waiting?.asked.delete(worker)) return
    waiting.replies.push(reply)
    this.#settle(key)
  }

  #settle(key: number): void {
    const waiting = this.#waiting.get(key)
    if (waiting === undefined || waiting.asked.size > 0) return
    this.#waiting.delete(key)
    this.#lines.get(waiting.from)?.({ kind: 'replies', id: waiting.id, replies: waiting.replies })
  }

  #answer<Q, A>({ name }: Topic<Q, A>, run: (worker: number, question: Q) => A | Promise<A>): void {
    this.#topics.set(name, run)
  }
}
