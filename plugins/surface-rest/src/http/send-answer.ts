import { createHash } from 'node:crypto'
import type { OutgoingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { answerMetadata, settled, type WholeBatches, wholeOf, withDisplay } from '@grainline/core/surface'
import type { FastifyReply } from 'fastify'
import type { Execution, RestContext, SqlExecution } from '../context.js'
import { around, columnsAndRows, executeResponse, receiptFields } from '../describe/answer.js'
import type { AnswerOptions } from './answer-options.js'
import { type Representation, type WholeAnswer, wholeAnswer } from './send-whole.js'
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
  const shown = <A extends Pick<Execution, 'schema' | 'batches'>>(answer: A) => (shownBy ? withDisplay(answer, shownBy) : answer)
  const whole = wholeOf(execution.batches)
  const locality = shownBy ? ` ${shownBy.locale} ${shownBy.timezone}` : ''
  if (!format) {
    reply.type(JSON_TYPE)
    if (whole === undefined) return sendPieces(executeResponse({ ...execution, ...shown(execution) }, { receipt }), reply)
    const middle = (batches: WholeBatches) =>
      columnsAndRows({ outcome: execution.outcome, ...shown({ schema: execution.schema, batches }) })
    return sendWhole(whole, { name: `json${locality}`, middle, ...around(execution, { receipt }) }, reply)
  }
  // The format has no place for the outcome after the rows, so the outcome is determined before the first row.
  const answer = 'handle' in execution.compiled ? await settled(execution as Execution) : await settled(execution as SqlExecution)
  reply.type(format.mediaType).headers(headersOf(answer))
  const { timezone } = answer.outcome()
  const encode = (rows: Pick<Execution, 'schema' | 'batches'>) => {
    const metadata = { ...answerMetadata(answer), ...(receipt && receiptText(answer)) }
    return format.encode({ ...shown(rows), timezone, metadata, compression })
  }
  if (whole === undefined || receipt) return reply.send(await body(encode(answer), reply))
  const name = `${format.name} ${compression ?? ''} ${format.rowsOnly ? '' : markOf(answer)}${locality}`
  const middle = (batches: WholeBatches) => encode({ schema: answer.schema, batches })
  return sendWhole(whole, { name, head: NOTHING, middle, tail: () => '' }, reply)
}

function sendWhole(whole: WholeBatches, shown: Representation, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
  const answer = wholeAnswer(whole, shown, reply)
  return Buffer.isBuffer(answer) ? reply.send(answer) : sendLater(answer, reply)
}

async function sendLater(later: WholeAnswer | Promise<WholeAnswer>, reply: FastifyReply): Promise<FastifyReply> {
  const answer = await later
  return reply.send(Buffer.isBuffer(answer) || answer instanceof Readable ? answer : await body(answer, reply))
}

const NOTHING = Buffer.alloc(0)

/** Different where the metadata is: it names the model of a session, and no other session may get it. */
function markOf(answer: Execution | SqlExecution): string {
  const { compiled } = answer
  const known = MARKS.get(compiled)
  if (known !== undefined) return known
  // When it was cached is the same for all clients of a cached answer.
  const { cached: _, cached_at: __, ...lasting } = answerMetadata(answer)
  const mark = createHash('sha256').update(JSON.stringify(lasting)).digest('hex')
  MARKS.set(compiled, mark)
  return mark
}

const MARKS = new WeakMap<object, string>()

/** JSON, as it comes. */
export async function sendPieces(pieces: AsyncIterable<Uint8Array | string>, reply: FastifyReply): Promise<FastifyReply> {
  reply.type(JSON_TYPE)
  return reply.send(await body(pieces, reply))
}

const JSON_TYPE = 'application/json; charset=utf-8'

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
