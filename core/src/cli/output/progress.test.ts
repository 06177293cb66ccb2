import t from 'tap'
import { counted, withProgress } from './progress.js'

const pieces = (...texts: string[]) => new Response(texts.join('')).body!
const drain = async (body: ReadableStream<Uint8Array>) => (await new Response(body).arrayBuffer()).byteLength

t.test('on a terminal the line shows rows and seconds, and is removed at the end', async (t) => {
  const { body, come } = counted(pieces('{"a":1}\n{"a":2}\n'), 'ndjson')
  t.equal(come(), '0 rows')
  t.equal(await drain(body), 16)
  const written: string[] = []
  const said = deferred<void>()
  const stderr = {
    isTTY: true,
    write: (text: string) => {
      written.push(text)
      said.resolve()
      return true
    },
  }
  await withProgress('Writing', { stderr }, said.promise, { detail: come, everyMs: 1 })
  t.match(written[0], /^\rWriting: 2 rows, \d+ s \(Ctrl-C cancels\)/)
  t.equal(written.at(-1), '\r\u001b[K')
})

t.test('without a terminal nothing is written; binary formats are counted in bytes', async (t) => {
  const written: string[] = []
  const stderr = { write: (text: string) => written.push(text) > 0 }
  t.equal(await withProgress('Writing', { stderr }, Promise.resolve(3), { everyMs: 1 }), 3)
  t.same(written, [])
  const { body, come } = counted(pieces('x'.repeat(2_500_000)), 'parquet')
  await drain(body)
  t.equal(come(), '2.5 MB')
})

function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
