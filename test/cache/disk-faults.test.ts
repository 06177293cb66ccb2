/** The file cache in the whole service on a full disk and in an unreadable folder: no answer is wrong or incomplete. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { holds } from '../specification/holds.js'
import { movedClock } from '../support/moved-clock.js'
import { executionOf, questions } from './flights.js'

/** A store that failed is not used for two seconds. */
const RESTED_MS = 2100
const NOBODY = 65_534

const root = await mkdtemp(path.join(os.tmpdir(), 'grainline-disk-'))
t.teardown(() => rm(root, { recursive: true }))
const clock = movedClock(t)

const truth = await executionOf()
t.teardown(() => truth.close())
const answers = new Map<object, unknown>()
for (const question of questions) answers.set(question, (await truth.ask('plain', question)).rows)

/** Runs all queries twice and checks every row; returns how many answers came from the cache. */
async function askAll(t: Test, { ask }: Awaited<ReturnType<typeof executionOf>>): Promise<number> {
  let cached = 0
  for (const question of [...questions, ...questions]) {
    const answer = await ask('keeping', question)
    if (answer.cached) cached += 1
    t.strictSame(answer.rows, answers.get(question))
  }
  return cached
}

t.test('with a full disk each query runs in the database; the cache is used again when there is space', async (t) => {
  holds(t, 'cache.failing')
  const folder = path.join(root, 'small')
  await mkdir(folder)
  if (!mounted(folder)) return void t.pass('a small file system can only be mounted by root')
  t.teardown(() => execFileSync('umount', ['--lazy', folder]))
  const service = await executionOf({ CACHE_BACKEND: 'file', CACHE_DIR: folder })
  t.teardown(() => service.close())
  const filler = path.join(folder, 'filler')
  await t.rejects(writeFile(filler, Buffer.alloc(1_000_000)), { code: 'ENOSPC' })
  t.equal(await askAll(t, service), 0)
  // Space for the start of an entry, but not for its end.
  await truncate(filler, (await stat(filler)).size - 8192)
  clock.forward(RESTED_MS)
  t.ok((await askAll(t, service)) < questions.length)
  t.same(await unfinished(folder), [])
  await rm(filler)
  clock.forward(RESTED_MS)
  t.ok((await askAll(t, service)) >= questions.length)
  t.same(await unfinished(folder), [])
})

t.test('with an unreadable folder each query runs in the database; the cache is used again when it is readable', async (t) => {
  holds(t, 'cache.failing')
  const folder = path.join(root, 'locked')
  const service = await executionOf({ CACHE_BACKEND: 'file', CACHE_DIR: folder })
  t.teardown(() => service.close())
  await askAll(t, service)
  await chmod(folder, 0)
  await asNobody(async () => t.equal(await askAll(t, service), 0))
  await chmod(folder, 0o700)
  clock.forward(RESTED_MS)
  t.equal(await askAll(t, service), 2 * questions.length, 'what was kept is still there')
})

function mounted(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const unfinished = async (folder: string) => (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.part'))

/** The root user may read everything, so the process runs as another user for a while. */
async function asNobody(work: () => Promise<unknown>): Promise<void> {
  const root = process.geteuid?.() === 0
  if (root) process.seteuid?.(NOBODY)
  try {
    await work()
  } finally {
    if (root) process.seteuid?.(0)
  }
}
