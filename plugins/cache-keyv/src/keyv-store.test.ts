import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { silentLogger } from '@grainline/core'
import { cacheConformance } from '@grainline/core/testing'
import type { KeyvStoreAdapter } from 'keyv'
import { KeyvFile } from 'keyv-file'
import t from 'tap'
import { adapterClass } from './adapter.js'
import { keyvStore } from './keyv-store.js'

const folder = mkdtempSync(path.join(tmpdir(), 'grainline-keyv-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
let count = 0
const newFile = () => path.join(folder, `answers-${++count}.json`)
const inFile = (filename: string) => keyvStore({ adapter: new KeyvFile({ filename, writeDelay: 1 }), logger: silentLogger })

/** A store of Keyv that can only get, set, delete and clear, and keeps texts. */
class Bare implements KeyvStoreAdapter {
  readonly opts = {}
  namespace?: string
  readonly values: Map<string, unknown>
  constructor(values = new Map<string, unknown>()) {
    this.values = values
  }
  // biome-ignore lint/suspicious/noExplicitAny: the type of Keyv
  get = async (key: string): Promise<any> => this.values.get(key)
  async set(key: string, value: unknown) {
    if (typeof value !== 'string') throw new TypeError('this store keeps texts')
    this.values.set(key, value)
  }
  delete = async (key: string) => this.values.delete(key)
  clear = async () => this.values.clear()
  on() {
    return this
  }
}

t.test('a file that can list', async (t) => cacheConformance(t, { open: () => inFile(newFile()) }))
t.test('a store that cannot list', async (t) =>
  cacheConformance(t, { open: () => keyvStore({ adapter: new Bare(), logger: silentLogger }) }),
)

t.test('another process finds, lists and deletes the answers of a store that can list', async (t) => {
  const values = newFile()
  const one = await inFile(values)
  await one.set('answer/1', Buffer.from([0, 128, 255]), 60)
  const two = await inFile(values)
  t.same(await two.get('answer/1'), Buffer.from([0, 128, 255]))
  t.equal(await two.deleteMany(['answer/1', 'answer/2']), 1)
  t.equal(await two.get('answer/1'), undefined)
})

t.test('an answer that nothing could delete is never found', async (t) => {
  const values = new Map<string, unknown>()
  const one = await keyvStore({ adapter: new Bare(values), logger: silentLogger })
  await one.set('answer/1', Buffer.from('1'), 60)
  t.equal(values.size, 1)
  const two = await keyvStore({ adapter: new Bare(values), logger: silentLogger })
  t.equal(await two.get('answer/1'), undefined, 'it cannot be listed by a later process')
})

t.test('values of other programs are neither answers nor errors', async (t) => {
  const { Keyv } = await import('keyv')
  const adapter = new KeyvFile({ filename: newFile(), writeDelay: 1 })
  const other = new Keyv({ store: adapter, useKeyPrefix: false })
  other.namespace = undefined
  const store = await keyvStore({ adapter, logger: silentLogger })
  await other.set('grainline:theirs', Buffer.from('short'))
  await other.set('theirs', { any: 'value' })
  await store.set('answer/1', Buffer.from('1'), 60)
  const listed: string[] = []
  for await (const { key } of store.entries()) listed.push(key)
  t.same(listed, ['answer/1'])
})

t.test('a sweep removes the oldest answers beyond the size', async (t) => {
  const store = await keyvStore({ adapter: new Bare(), maxBytes: 250, logger: silentLogger })
  for (const name of ['a', 'b', 'c', 'd']) await store.set(name, Buffer.alloc(100), 60)
  t.same(await store.sweep(), { expired: 0, evicted: 2 })
  t.equal(await store.get('a'), undefined)
  t.ok(await store.get('d'))
})

t.test('an error of the store reaches the caller', async (t) => {
  class Broken extends Bare {
    override get = async () => Promise.reject(new Error('the disk is gone'))
  }
  const store = await keyvStore({ adapter: new Broken(), logger: silentLogger })
  await t.rejects(async () => store.get('answer/1'), { message: 'the disk is gone' })
})

t.test('the class of a store', async (t) => {
  writeFileSync(path.join(folder, 'own.mjs'), 'export class Own {}\nexport const none = 1\n')
  t.equal((await adapterClass({ store: './own.mjs', export: 'Own' }, folder)).name, 'Own')
  await t.rejects(adapterClass({ store: './own.mjs' }, folder), { code: 'INVALID_OPTIONS', path: 'export' })
  await t.rejects(adapterClass({ store: './own.mjs', export: 'none' }, folder), { code: 'INVALID_OPTIONS', path: 'export' })
  await t.rejects(adapterClass({ store: 'keyv-none' }, folder), { code: 'INVALID_OPTIONS', path: 'store' })
  t.equal((await adapterClass({ store: 'keyv-file' }, import.meta.dirname)).name, 'KeyvFile')
})
