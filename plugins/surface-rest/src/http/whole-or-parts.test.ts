import t from 'tap'
import { wholeOrParts } from './whole-or-parts.js'

const LARGE = 'x'.repeat(40_000)

async function text(answer: Awaited<ReturnType<typeof wholeOrParts>>): Promise<string> {
  if (Buffer.isBuffer(answer)) return answer.toString()
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString()
}

t.test('a small answer is one buffer', async (t) => {
  const answer = await wholeOrParts(pieces('{"a":', Buffer.from('1'), '}'))
  t.ok(Buffer.isBuffer(answer))
  t.equal(await text(answer), '{"a":1}')
  t.equal((await text(await wholeOrParts(pieces()))).length, 0)
})

t.test('a large answer is sent in parts, in order and complete', async (t) => {
  const answer = await wholeOrParts(pieces(LARGE, 'a', LARGE, 'b', LARGE))
  t.notOk(Buffer.isBuffer(answer))
  t.equal(await text(answer), `${LARGE}a${LARGE}b${LARGE}`)
})

t.test('available parts are not delayed by a slow one', async (t) => {
  const { promise, resolve } = deferred()
  async function* slow() {
    yield 'first'
    await promise
    yield 'second'
  }
  const answer = await wholeOrParts(slow())
  t.notOk(Buffer.isBuffer(answer))
  resolve()
  t.equal(await text(answer), 'firstsecond')
})

t.test('an error before the first byte is an error, and not a part of an answer', async (t) => {
  async function* failing() {
    yield 'first'
    throw new Error('gone')
  }
  await t.rejects(wholeOrParts(failing()), { message: 'gone' })
})

t.test('a later error fails the stream', async (t) => {
  async function* failing() {
    yield LARGE
    yield LARGE
    throw new Error('gone')
  }
  await t.rejects(wholeOrParts(failing()).then(text), { message: 'gone' })
})

t.test('a client that disconnects ends the source', async (t) => {
  let ended = false
  async function* source() {
    try {
      for (;;) yield LARGE
    } finally {
      ended = true
    }
  }
  const answer = await wholeOrParts(source())
  if (!Buffer.isBuffer(answer)) for await (const _ of answer) break
  t.ok(ended)
})

async function* pieces(...all: readonly (string | Uint8Array)[]) {
  yield* all
}

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
