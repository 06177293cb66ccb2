/** Conversations with a server, and ways to corrupt them; the same seed gives the same ones. */
import {
  bind,
  cstring,
  describe,
  execute,
  GSS_REQUEST,
  int32,
  message,
  packet,
  parse,
  query,
  SSL_REQUEST,
  startup,
  sync,
} from './raw-client.js'

/** A small random generator that is the same on every machine (mulberry32). */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const TEXTS = [
  'SELECT 1',
  'SELECT "Airline", "Flight Count" FROM flights LIMIT 2',
  'BEGIN; SAVEPOINT a; ROLLBACK TO a; COMMIT',
  'DECLARE c CURSOR WITH HOLD FOR SELECT 1',
  'FETCH 1 FROM c',
  "SET TimeZone = 'Asia/Tokyo'",
  'SHOW ALL',
  'COPY (SELECT 1) TO STDOUT (FORMAT csv)',
  'SELECT "Airline" FROM flights WHERE "Year Built" > $1 LIMIT 1',
  'CREATE LOCAL TEMPORARY TABLE "#t" (x int)',
]

type Pick = (below: number) => number

/** What a well-behaved client might say next. */
function wellBehaved(pick: Pick): Buffer {
  const text = TEXTS[pick(TEXTS.length)]!
  switch (pick(9)) {
    case 0:
      return query(text)
    case 1:
      return Buffer.concat([parse(text, { types: [20] }), describe('S'), sync()])
    case 2:
      return Buffer.concat([parse(text), bind({ values: ['2000'], formats: [pick(2)] }), describe('P'), execute(pick(3)), sync()])
    case 3:
      return Buffer.concat([bind({ values: [Buffer.alloc(8), null], valueFormats: [1] }), execute(), sync()])
    case 4:
      return Buffer.concat([message('C', Buffer.from('P'), cstring('')), message('H'), sync()])
    case 5:
      return message('d', Buffer.from('left over'))
    case 6:
      return message('p', cstring('secret'))
    case 7:
      return message('F', int32(1), int32(0))
    default:
      return sync()
  }
}

/** How a conversation begins: mostly correctly. */
function beginning(pick: Pick): Buffer {
  const one = [SSL_REQUEST, GSS_REQUEST, packet(80877102, int32(pick(100)), int32(pick(100))), packet(pick(1 << 20))]
  return pick(8) === 0
    ? one[pick(one.length)]!
    : startup({ user: 'fuzz', database: 'flights', options: '-c extra_float_digits=2' }, 196_608 + pick(4))
}

export interface Conversation {
  readonly bytes: Buffer
  /** The number of corrupted messages. */
  readonly messages: number
}

/** The messages of a client, each corrupted; sometimes it begins wrongly, or is cut off. */
export function conversation(seed: number): Conversation {
  const pick = numbers(seed)
  const begun = Buffer.from(beginning(pick))
  if (pick(16) === 0) spoil(begun, pick(begun.length), pick)
  const messages = Array.from({ length: 1 + pick(MOST_MESSAGES) }, () => spoiled(wellBehaved(pick), pick))
  const bytes = Buffer.concat([begun, ...messages])
  const cut = pick(6) === 0 ? begun.length + pick(bytes.length - begun.length) : bytes.length
  return { bytes: bytes.subarray(0, cut), messages: messages.length }
}

const MOST_MESSAGES = 24
/** A type and a length: after these are corrupted, the rest is mostly ignored. */
const HEAD = 5

/** One to three changes, mostly after the header. */
function spoiled(bytes: Buffer, pick: Pick): Buffer {
  for (let changes = 1 + pick(3); changes > 0; changes--) {
    const inHead = bytes.length <= HEAD || pick(32) === 0
    spoil(bytes, inHead ? pick(bytes.length) : HEAD + pick(bytes.length - HEAD), pick)
  }
  return bytes
}

function spoil(bytes: Buffer, at: number, pick: Pick): void {
  switch (pick(4)) {
    case 0:
      bytes[at] = pick(256)
      return
    case 1:
      bytes[at]! ^= 1 << pick(8)
      return
    case 2:
      // Overwrites four bytes, which may not be a length, with a harmful size.
      if (at + 4 <= bytes.length) bytes.writeInt32BE([-1, 0, 0x7fffffff, -0x80000000, 65_536][pick(5)]!, at)
      return
    default:
      bytes.copyWithin(at, at >= HEAD ? HEAD + pick(bytes.length - HEAD) : pick(bytes.length))
  }
}
