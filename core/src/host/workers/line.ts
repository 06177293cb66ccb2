/** The connection of a worker to the first process, and through it to the other workers. */
import type { Logger } from '../../logger.js'
import type { NoSeat, Seat } from '../../workers/seats.js'
import type { Topic, Workers } from '../../workers/workers.js'
import {
  ADMIT_SESSION,
  type Asked,
  answerOf,
  END_SESSION,
  type FromWorker,
  LEAVE_SEAT,
  MOVE_SEAT,
  type Reply,
  replyOf,
  TAKE_SEAT,
  type ToWorker,
} from './messages.js'

export type Welcome = Extract<ToWorker, { readonly kind: 'welcome' }>

/** It has ended, or is about to. */
const isLeaving = (reply: Reply): boolean => reply.kind === 'gone' || (reply.kind === 'refusal' && reply.code === 'SHUTTING_DOWN')

/** `send` throws for a value that cannot be cloned. */
export function workersOver({ number, count, secret }: Welcome, send: (message: FromWorker) => void) {
  const waiting = new Map<number, (replies: readonly Reply[]) => void>()
  const topics = new Map<string, (question: never) => unknown>()
  let last = 0

  function askAt(to: Asked, topic: string, question: unknown): Promise<readonly Reply[]> {
    const id = ++last
    return new Promise((resolve, reject) => {
      waiting.set(id, resolve)
      try {
        send({ kind: 'ask', id, to, topic, question })
      } catch (error) {
        waiting.delete(id)
        reject(error)
      }
    })
  }

  async function askOne<Q, A>(to: number | 'first', { name }: Topic<Q, A>, question: Q): Promise<A> {
    const [reply] = await askAt(to, name, question)
    return answerOf(reply!) as A
  }

  const workers: Workers = {
    number,
    count,
    secret,
    ask: (worker, topic, question) => askOne(worker, topic, question),
    async askOthers<Q, A>({ name }: Topic<Q, A>, question: Q): Promise<readonly A[]> {
      const replies = await askAt('others', name, question)
      return replies.filter((reply) => !isLeaving(reply)).map((reply) => answerOf(reply) as A)
    },
    answer({ name }, run) {
      topics.set(name, run)
    },
    seats: (house, options) => ({
      async take(client) {
        const taken: number | NoSeat = await askOne('first', TAKE_SEAT, { house, options, client })
        return typeof taken === 'string' ? taken : seatOf(taken)
      },
    }),
    admitSession: (client) => askOne('first', ADMIT_SESSION, client),
    sessionEnded: () => void askOne('first', END_SESSION, null),
  }

  const seatOf = (seat: number): Seat => {
    let left = false
    return {
      move: async (client) => left || askOne('first', MOVE_SEAT, { seat, client }),
      leave() {
        if (!left) void askOne('first', LEAVE_SEAT, seat)
        left = true
      },
    }
  }

  async function answer({ id, topic, question }: Extract<ToWorker, { readonly kind: 'question' }>, logger: Logger) {
    const run = topics.get(topic)
    // A worker that has just started has no state for others.
    const reply: Reply =
      run === undefined ? { kind: 'gone', worker: number, served: true } : await replyOf(() => run(question as never))
    if (reply.kind === 'failure') logger.error({ topic, reason: reply.message }, 'A question of another worker failed')
    try {
      send({ kind: 'reply', id, reply })
    } catch (error) {
      send({ kind: 'reply', id, reply: { kind: 'failure', message: String(error) } })
    }
  }

  return {
    workers,
    heard(message: ToWorker, logger: Logger): void {
      if (message.kind === 'question') void answer(message, logger)
      if (message.kind !== 'replies') return
      waiting.get(message.id)?.(message.replies)
      waiting.delete(message.id)
    },
  }
}
