/** Answers with lists as long as the model of a client: they are written in turns, so that others are answered in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { sendPieces } from './send-answer.js'

/** Sends an object as JSON. */
export function sendLists(answer: object, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
  const isLong = Object.values(answer).some((value) => Array.isArray(value) && value.length > MOST_AT_ONCE)
  return isLong ? sendPieces(piecesOf(answer), reply) : reply.send(answer)
}

/** Items of a list that are written in one turn: some two milliseconds. */
const MOST_AT_ONCE = 1000

async function* piecesOf(answer: object): AsyncGenerator<string> {
  let before = '{'
  for (const [key, value] of Object.entries(answer)) {
    if (value === undefined) continue
    yield `${before}${JSON.stringify(key)}:`
    if (Array.isArray(value)) yield* listPieces(value)
    else yield JSON.stringify(value)
    before = ','
  }
  yield '}'
}

async function* listPieces(items: readonly unknown[]): AsyncGenerator<string> {
  for (let at = 0; at < items.length; at += MOST_AT_ONCE) {
    yield `${at === 0 ? '[' : ','}${JSON.stringify(items.slice(at, at + MOST_AT_ONCE)).slice(1, -1)}`
    await nextTurn()
  }
  yield items.length === 0 ? '[]' : ']'
}
