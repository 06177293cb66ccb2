import type { OutgoingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { answerMetadata, settled, WholeBatches, wholeOf, withDisplay } from '@grainline/core/surface'
import type { FastifyReply } from 'fastify'
import type { Execution, RestContext, SqlExecution } from '../context.js'
import { executeResponse, receiptFields, wholeResponse } from '../describe/answer.js'
import type { AnswerOptions } from './answer-options.js'
import { wholeOrParts } from './whole-or-parts.js'

/** Sends the rows as they come in, as fast as the client takes them. */
export async function sendAnswer(
  execution: Execution | SqlExecution,
  { format, compression, display, receipt }: AnswerOptions,
  { settings }: Pick<RestContext, 'settings'>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const defaultLocale = handleOf(execution)?.model.settings.defaultLocale
  const shownBy = display && {
    locale: display.locale ?? (settings.DEFAULT_LOCALE || (defaultLocale ?? 'en-US')),
    timezone: display.timezone ?? execution.outcome().timezone,
  }
  const shown = (answer: Execution | SqlExecution): Pick<Execution, 'schema' | 'batches'> =>
    shownBy ? withDisplay(answer, shownBy) : answer
  if (!format) {
    const whole = wholeOf(execution.batches)
    if (!whole || !isSmall(whole)) return sendPieces(executeResponse({ ...execution, ...shown(execution) }, { receipt }), reply)
    whole.take()
    const name = shownBy ? `json ${shownBy.locale} ${shownBy.timezone}` : 'json'
    const rows = () => shown({ ...execution, batches: new WholeBatches(whole) })
    const response = wholeResponse(execution, whole, { name, rows, receipt })
    return reply.type(JSON_TYPE).send(response instanceof Promise ? await response : response)
  }
  // The format has no place for the outcome after the rows, so the outcome is determined before the first row.
  const answer = 'handle' in execution.compiled ? await settled(execution as Execution) : await settled(execution as SqlExecution)
  const metadata = { ...answerMetadata(answer), ...(receipt && receiptText(answer)) }
  reply.type(format.mediaType).headers(headersOf(answer))
  const { timezone } = answer.outcome()
  return reply.send(await body(format.encode({ ...shown(answer), timezone, metadata, compression }), reply))
}

/** JSON, as it comes. */
export async function sendPieces(pieces: AsyncIterable<Uint8Array | string>, reply: FastifyReply): Promise<FastifyReply> {
  reply.type(JSON_TYPE)
  return reply.send(await body(pieces, reply))
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** So few values that they are written at once. */
const isSmall = ({ batches }: WholeBatches): boolean =>
  batches.reduce((values, { rowCount, columns }) => values + rowCount * columns.length, 0) <= MOST_VALUES

const MOST_VALUES = 10_000

/** Formats with a schema carry the receipt in its metadata, as JSON. */
function receiptText({ compiled, outcome }: Execution | SqlExecution): Record<string, string> {
  const { receipt } = receiptFields(compiled, outcome())
  return receipt === undefined ? {} : { receipt: JSON.stringify(receipt) }
}

/** The model that is asked, or the first of several. */
const handleOf = ({ compiled }: Execution | SqlExecution) =>
  'handle' in compiled ? compiled.handle : compiled.modelQueries[0]?.compiled.handle

/** A small answer as it is; else the pieces as they come. Where one fails after the first was sent, the answer is broken off. */
async function body(pieces: AsyncIterable<Uint8Array | string>, { raw }: FastifyReply): Promise<Buffer | Readable> {
  const answer = await wholeOrParts(pieces)
  if (Buffer.isBuffer(answer)) return answer
  const stream = Readable.from(answer, { objectMode: false })
  const breakOff = () => {
    if (raw.headersSent) resetConnection(raw)
  }
  stream.once('error', breakOff)
  // A compressor may emit its first bytes after the rows have failed: then its error comes after the headers.
  raw.once('pipe', (source: Readable) => source.prependOnceListener('error', breakOff))
  return stream
}

/** Facts that JSON has beside the rows, as headers for clients of other formats that do not read the metadata. */
function headersOf({ outcome }: Pick<Execution, 'outcome'>): Record<string, string> {
  const { truncated, warnings, timezone, cache } = outcome()
  return {
    'x-grainline-timezone': timezone,
    'x-grainline-truncated': String(truncated),
    'x-grainline-cached': String(cache?.cachedAt !== undefined),
    ...(warnings.length > 0 && { 'x-grainline-warnings': [...new Set(warnings.map(({ code }) => code))].join(', ') }),
  }
}

/**
 * Ends the connection of a response in the middle, so that the client sees it. Chunks of HTTP/1.1 and TLS have an end of their own, which is
 * then missing; an answer over HTTP/1.0 ends where the connection is closed, so only a reset tells a cut answer from a whole one.
 */
function resetConnection({ socket }: Pick<OutgoingMessage, 'socket'>): void {
  // A request from within the process has no connection.
  if (!(socket instanceof Socket) || socket instanceof TLSSocket || socket.remotePort === undefined) return
  // `resetAndDestroy` ends the socket first: the end could arrive before the reset, and the answer look whole. With this mark of Node's own,
  // which it sets itself there, nothing is sent but the reset.
  Reflect.set(socket, 'resetAndClosing', true)
  socket.destroy()
}
