import { createHash } from 'node:crypto'
import type { OutgoingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { answerMetadata, type WholeBatches, wholeOf, withDisplay } from '@grainline/core/format'
import { settled } from '@grainline/core/surface'
import type { FastifyReply } from 'fastify'
import type { Execution, RestContext, SqlExecution } from '../context.js'
import { around, columnsAndRows, executeResponse, receiptFields } from '../describe/execute-response.js'
import type { AnswerOptions } from './answer-options.js'
import { type Representation, type WholeAnswer, wholeAnswer } from './send-whole.js'
import { wholeOrParts } from './whole-or-parts.js'

/** Sends the rows as they arrive, as fast as the client reads them. */
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
  // The format has no place for the outcome after the rows, so the outcome must be known before the first row.
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

/** A name for the metadata: it contains the model of a session, so bytes with it must not be sent to another session. */
function markOf(answer: Execution | SqlExecution): string {
  const { compiled } = answer
  const known = MARKS.get(compiled)
  if (known !== undefined) return known
  // All clients of a cached answer share the time at which it was cached.
  const { cached: _, cached_at: __, ...lasting } = answerMetadata(answer)
  const mark = createHash('sha256').update(JSON.stringify(lasting)).digest('hex')
  MARKS.set(compiled, mark)
  return mark
}

const MARKS = new WeakMap<object, string>()

/** Sends JSON piece by piece. */
export async function sendPieces(pieces: AsyncIterable<Uint8Array | string>, reply: FastifyReply): Promise<FastifyReply> {
  reply.type(JSON_TYPE)
  return reply.send(await body(pieces, reply))
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** The receipt as JSON, for the metadata of formats that have a schema. */
function receiptText({ compiled, outcome }: Execution | SqlExecution): Record<string, string> {
  const { receipt } = receiptFields(compiled, outcome())
  return receipt === undefined ? {} : { receipt: JSON.stringify(receipt) }
}

/** The model of the answer, or the first of several. */
const handleOf = ({ compiled }: Execution | SqlExecution) =>
  'handle' in compiled ? compiled.handle : compiled.modelQueries[0]?.compiled.handle

/** A small answer as a whole, any other as a stream. If the stream fails after its first byte, the connection is reset. */
async function body(pieces: AsyncIterable<Uint8Array | string>, { raw }: FastifyReply): Promise<Buffer | Readable> {
  const answer = await wholeOrParts(pieces)
  if (Buffer.isBuffer(answer)) return answer
  const stream = Readable.from(answer, { objectMode: false })
  const breakOff = () => {
    if (raw.headersSent) resetConnection(raw)
  }
  stream.once('error', breakOff)
  // A compressor may emit its first bytes after the rows have failed. Then its error arrives after the headers.
  raw.once('pipe', (source: Readable) => source.prependOnceListener('error', breakOff))
  return stream
}

/** The facts that JSON states beside the rows, as headers: many clients of other formats do not read the metadata. */
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
 * Ends the connection in the middle of a response, so that the client notices. HTTP/1.1 chunks and TLS have an end marker, which is then missing.
 * An HTTP/1.0 answer ends when the connection closes, so only a reset distinguishes an incomplete answer from a complete one.
 */
function resetConnection({ socket }: Pick<OutgoingMessage, 'socket'>): void {
  // An injected request has no connection.
  if (!(socket instanceof Socket) || socket instanceof TLSSocket || socket.remotePort === undefined) return
  // `resetAndDestroy` ends the socket first. The end could arrive before the reset, and the answer would look complete. Node sets this internal
  // flag there itself; if it is set earlier, only the reset is sent.
  Reflect.set(socket, 'resetAndClosing', true)
  socket.destroy()
}
