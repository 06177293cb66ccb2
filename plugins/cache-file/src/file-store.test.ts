import { mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { cacheConformance } from '@grainline/core/testing'
import t from 'tap'
import { holds } from '../../../test/specification/holds.js'
import { fileStore } from './index.js'
import { secretOf } from './secret.js'

const root = await mkdtemp(path.join(os.tmpdir(), 'grainline-cache-'))
t.teardown(() => rm(root, { recursive: true }))
let count = 0
const folderFor = () => path.join(root, `${++count}`, 'deeper')

cacheConformance(t, { open: () => fileStore({ folder: folderFor(), maxBytes: 100_000_000 }) })

async function files(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}

t.test('entries exist after a restart', async (t) => {
  const folder = folderFor()
  await (await fileStore({ folder, maxBytes: 1e6 })).set('key', Buffer.from('kept'), 60)
  const store = await fileStore({ folder, maxBytes: 1e6 })
  t.equal(Buffer.from((await store.get('key'))!).toString(), 'kept')
})

t.test('a damaged, truncated, foreign or renamed file is a miss and is removed', async (t) => {
  holds(t, 'cache.damaged')
  const folder = folderFor()
  const store = await fileStore({ folder, maxBytes: 1e6 })
  const damages: readonly ((file: string) => Promise<unknown>)[] = [
    (file) => truncate(file, 40),
    (file) => truncate(file, 90),
    (file) => truncate(file, 0),
    (file) => writeFile(file, 'somebody else wrote this, and it is long enough to look like something'),
    async (file) => {
      const bytes = await readFile(file)
      bytes[6]! ^= 1
      return writeFile(file, bytes)
    },
    async (file) => {
      const other = path.join(root, 'other')
      await (await fileStore({ folder: other, maxBytes: 1e6 })).set('another key', Buffer.alloc(100), 60)
      return writeFile(file, await readFile((await files(other))[0]!))
    },
  ]
  for (const damage of damages) {
    await store.set('key', Buffer.alloc(100, 1), 60)
    const [file] = await files(folder)
    await damage(file!)
    t.equal(await store.get('key'), undefined)
    t.same(await files(folder), [])
  }
})

t.test('files are readable only by their owner', async (t) => {
  const folder = folderFor()
  await (await fileStore({ folder, maxBytes: 1e6 })).set('key', Buffer.from('kept'), 60)
  const [file] = await files(folder)
  t.equal((await stat(file!)).mode & 0o777, 0o600)
  t.equal((await stat(path.dirname(file!))).mode & 0o777, 0o700)
})

t.test('all processes that open a folder at once get one secret, and a restart gets it, too', async (t) => {
  const folder = folderFor()
  const secrets = await Promise.all(Array.from({ length: 10 }, () => secretOf(folder)))
  secrets.push(await secretOf(folder))
  t.equal(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size, 1)
  t.equal(secrets[0]!.length, 32)
  t.same(await files(folder), [path.join(folder, 'cache.key')])
  await truncate(path.join(folder, 'cache.key'), 3)
  await t.rejects(secretOf(folder), /cache\.key is damaged/)
})

t.test('the folder stays within its limit, and recently used entries stay', async (t) => {
  holds(t, 'cache.disk-bytes')
  const folder = folderFor()
  let now = 1_000_000
  const store = await fileStore({ folder, maxBytes: 5000, now: () => ++now })
  for (let i = 0; i < 20; i++) {
    await store.set(`${i}`, Buffer.alloc(1000), 60)
    await store.get('0')
    const sizes = await Promise.all((await files(folder)).map(async (file) => (await readFile(file)).length))
    t.ok(sizes.reduce((a, b) => a + b, 0) <= 5000)
  }
  t.ok(await store.get('0'))
  t.ok(await store.get('19'))
  t.equal(await store.get('5'), undefined)
})

t.test('the folder stays within its limit, also with concurrent writes', async (t) => {
  holds(t, 'cache.disk-bytes')
  const folder = folderFor()
  const store = await fileStore({ folder, maxBytes: 5000 })
  await Promise.all(Array.from({ length: 40 }, (_, i) => store.set(`${i % 20}`, Buffer.alloc(1000), 60)))
  const sizes = await Promise.all((await files(folder)).map(async (file) => (await readFile(file)).length))
  t.ok(sizes.length > 0 && sizes.reduce((a, b) => a + b, 0) <= 5000, `${sizes}`)
})

t.test('unfinished writes are removed when the folder is opened', async (t) => {
  const folder = folderFor()
  await (await fileStore({ folder, maxBytes: 1e6 })).set('key', Buffer.from('kept'), 60)
  const [entry] = await files(folder)
  const [old, fresh] = [`${entry}.old.part`, `${entry}.fresh.part`]
  for (const part of [old, fresh]) await writeFile(part, 'half')
  await utimes(old, 0, 0)
  await fileStore({ folder, maxBytes: 1e6 })
  t.same((await files(folder)).sort(), [entry, fresh].sort())
})

t.test('an entry is stored though its folder is deleted while it is written', async (t) => {
  const folder = folderFor()
  let deletions = 0
  const recreated = async () => {
    deletions += 1
    if (deletions === 1) await rm(folder, { recursive: true })
  }
  const store = await fileStore({ folder, maxBytes: 1e6, recreated })
  await rm(folder, { recursive: true })
  await store.set('key', Buffer.from('kept'), 60)
  t.equal(Buffer.from((await store.get('key'))!).toString(), 'kept')
  t.equal(deletions, 2)
})

t.test('an entry larger than the folder is not stored, and removes nothing', async (t) => {
  const store = await fileStore({ folder: folderFor(), maxBytes: 5000 })
  await store.set('small', Buffer.alloc(1000), 60)
  await store.set('large', Buffer.alloc(5000), 60)
  t.same([(await store.get('small'))?.length, await store.get('large')], [1000, undefined])
})

t.test('a sweep removes expired and damaged entries, and unfinished writes', async (t) => {
  const folder = folderFor()
  let now = Date.now()
  const store = await fileStore({ folder, maxBytes: 1e6, now: () => now })
  await store.set('short', Buffer.alloc(10), 1)
  await store.set('long', Buffer.alloc(10), 10_000)
  await store.set('bad', Buffer.alloc(10), 10_000)
  const bad = (
    await Promise.all((await files(folder)).map(async (file) => [file, (await readFile(file)).includes('bad')] as const))
  ).find(([, is]) => is)
  await truncate(bad![0], 20)
  const part = `${bad![0]}.x.part`
  await writeFile(part, 'half')
  await utimes(part, 0, 0)
  now += 5000
  t.same(await store.sweep(), { expired: 2, evicted: 0 })
  t.equal((await files(folder)).length, 1)
  t.ok(await store.get('long'))
})

t.test('a folder that cannot be created or read is refused when it is opened', async (t) => {
  const file = path.join(root, 'a-file')
  await writeFile(file, '')
  await t.rejects(fileStore({ folder: path.join(file, 'below'), maxBytes: 1 }), { code: 'ENOTDIR' })
})
