/** Sends answers that are all there. What was encoded or compressed for one client is kept with the rows, and sent again to the next. */
import { Readable } from 'node:stream'
import type { Made, WholeBatches } from '@grainline/core/format'
import type { FastifyReply } from 'fastify'
import { encodingFor, sayEncoding } from './compress.js'
import {
  COMPLETED,
  type CompletedEncoding,
  compressedEnd,
  compressedStart,
  LONGEST_END,
  sumOf,
  type TextSum,
} from './compressed-start.js'
import { joined } from './joined.js'

type Pieces = AsyncIterable<Uint8Array | string>

/** An answer in one format. Only its middle, which is the same for all clients who share the name, is kept. */
export interface Representation {
  readonly name: string
  readonly head: Buffer
  /** Encodes these batches. */
  readonly middle: (batches: WholeBatches) => Pieces
  readonly tail: () => string
}

/** Bytes, or pieces as they are encoded, whose middle is kept when all of them were. */
export type WholeAnswer = Buffer | Readable | Pieces

/** What to send; at once if its middle was kept and the client takes it as it is. */
export function wholeAnswer(whole: WholeBatches, shown: Representation, reply: FastifyReply): WholeAnswer | Promise<WholeAnswer> {
  const known = whole.made.get(shown.name)
  if (known === undefined && !isSmall(whole)) return encoded(whole, shown)
  whole.take()
  return known === undefined ? encodedAtOnce(whole, shown, reply) : completed(whole, shown, known, reply)
}

async function encodedAtOnce(whole: WholeBatches, shown: Representation, reply: FastifyReply): Promise<WholeAnswer> {
  const middle = await gathered(shown.middle(whole.again()))
  whole.made.keep(shown.name, middle)
  return completed(whole, shown, middle, reply)
}

function completed(
  whole: WholeBatches,
  { name, head, tail }: Representation,
  middle: Buffer,
  reply: FastifyReply,
): WholeAnswer | Promise<WholeAnswer> {
  const end = tail()
  const encoding = whole.made.most === 0 ? undefined : encodingFor(reply, head.length + middle.length, COMPLETED)
  if (encoding !== undefined && end.length < LONGEST_END / 3)
    return compressed({ name, head, middle, end }, encoding, whole.made, reply)
  if (head.length === 0 && end === '') return middle
  return middle.length > MOST_JOINED
    ? Readable.from([head, middle, Buffer.from(end)], { objectMode: false })
    : joined(head, middle, end)
}

/** So few values that they are encoded at once. */
const isSmall = ({ batches }: WholeBatches): boolean =>
  batches.reduce((values, { rowCount, columns }) => values + rowCount * columns.length, 0) <= MOST_VALUES

const MOST_VALUES = 10_000
/** A longer middle is not copied for each client. */
const MOST_JOINED = 64 * 1024

async function* encoded(whole: WholeBatches, { name, head, middle, tail }: Representation): AsyncGenerator<Uint8Array | string> {
  if (head.length > 0) yield head
  yield* keptAtEnd(middle(whole), whole.made, name)
  const end = tail()
  if (end !== '') yield end
}

/** The same pieces. They are kept together if all of them were read, and if they are not too many. */
async function* keptAtEnd(pieces: Pieces, made: Made, name: string): AsyncGenerator<Uint8Array | string> {
  const held: Buffer[] = []
  let bytes = 0
  for await (const piece of pieces) {
    yield piece
    const part = bytesOf(piece)
    bytes += part.length
    if (bytes <= made.most) held.push(part)
    else held.length = 0
  }
  if (bytes <= made.most) made.keep(name, Buffer.concat(held))
}

async function gathered(pieces: Pieces): Promise<Buffer> {
  const held: Buffer[] = []
  for await (const piece of pieces) held.push(bytesOf(piece))
  return Buffer.concat(held)
}

const bytesOf = (piece: Uint8Array | string): Buffer =>
  typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)

interface Parts {
  readonly name: string
  readonly head: Buffer
  readonly middle: Buffer
  readonly end: string
}

async function compressed(
  { name, head, middle, end }: Parts,
  encoding: CompletedEncoding,
  made: Made,
  reply: FastifyReply,
): Promise<Buffer> {
  const kept = `${name} ${encoding}`
  const known = made.get(kept)
  const sum = known && SUMS.get(known)
  const start = known && sum?.head.equals(head) ? { bytes: known, sum } : await startOf(head, middle, encoding)
  if (start.bytes !== known) made.keep(kept, start.bytes)
  sayEncoding(reply, encoding)
  return Buffer.concat([start.bytes, compressedEnd(start.sum, Buffer.from(end), encoding)])
}

async function startOf(head: Buffer, middle: Buffer, encoding: CompletedEncoding) {
  const text = Buffer.concat([head, middle])
  const bytes = await compressedStart(text, encoding)
  const sum = { ...sumOf(text), head }
  SUMS.set(bytes, sum)
  return { bytes, sum }
}

/** By the compressed bytes: what was compressed. The head may be another one when the database has checked the statement. */
const SUMS = new WeakMap<Buffer, TextSum & { readonly head: Buffer }>()
