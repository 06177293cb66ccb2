import { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { silentLogger } from '@grainline/core'
import t from 'tap'
import { Catalog } from './catalog.js'
import type { CatalogReply } from './catalog-view.js'

const MB = 2 ** 20

/** A thread that starts at once and answers every question with so much memory taken. */
class Played extends EventEmitter {
  isEnded = false

  constructor(private readonly memory: () => number) {
    super()
    this.#say({ kind: 'ready', seed: undefined })
  }
  postMessage({ id }: { readonly id: number }): void {
    this.#say({ kind: 'answer', id, messages: Uint8Array.of(id), memory: this.memory() })
  }
  async terminate(): Promise<number> {
    this.isEnded = true
    return 0
  }
  unref(): void {}

  #say(reply: CatalogReply): void {
    queueMicrotask(() => this.emit('message', reply))
  }
}

const look = {
  client: 'one',
  view: { database: 'main', databases: ['main'], relations: [] },
  question: { settings: [], temporary: [], messages: new Uint8Array(), fresh: false },
}

t.test('a catalogue that has grown is replaced after its answer, and others are kept', async (t) => {
  const threads: Played[] = []
  let memory = 200 * MB
  const start = () => {
    const thread = new Played(() => memory)
    threads.push(thread)
    return thread as unknown as Worker
  }
  const catalog = new Catalog(silentLogger, undefined, start)
  const ask = () => catalog.ask(look, new AbortController().signal)
  t.same(await ask(), Uint8Array.of(1))
  t.same(await ask(), Uint8Array.of(2))
  t.equal(threads.length, 1, 'kept')
  memory = 321 * MB
  t.same(await ask(), Uint8Array.of(3), 'what was asked is answered')
  t.equal(threads[0]?.isEnded, true)
  memory = 200 * MB
  t.same(await ask(), Uint8Array.of(4), 'by the next one')
  t.same(
    threads.map((thread) => thread.isEnded),
    [true, false],
  )
  await catalog.close()
})

t.test('a catalogue that ends by itself refuses what waits for it, and the next question starts another', async (t) => {
  const silent = () => Object.assign(new EventEmitter(), { terminate: async () => 0, unref: () => {}, postMessage: () => {} })
  const threads: EventEmitter[] = []
  const catalog = new Catalog(silentLogger, undefined, () => {
    const thread = threads.length === 0 ? silent() : new Played(() => MB)
    threads.push(thread)
    return thread as unknown as Worker
  })
  const asked = catalog.ask(look, new AbortController().signal)
  threads[0]?.emit('exit', 1)
  await t.rejects(asked, { message: 'the catalogue failed; try again' })
  t.same(await catalog.ask(look, new AbortController().signal), Uint8Array.of(1))
  await catalog.close()
})

t.test('who waits for a catalogue that starts can leave', async (t) => {
  const silent = Object.assign(new EventEmitter(), { terminate: async () => 0, unref: () => {} })
  const catalog = new Catalog(silentLogger, undefined, () => silent as unknown as Worker)
  const leaving = new AbortController()
  const asked = catalog.ask(look, leaving.signal)
  leaving.abort(new Error('gone'))
  await t.rejects(asked, { message: 'gone' })
  await catalog.close()
})
