/** Runs one test, again and again in this thread, with one mutant after another, and says which of them fail it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Script } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { Test } from 'tap'

const { test } = workerData as { readonly test: string }
const script = new Script(`(function (require, module, exports) {${readFileSync(test, 'utf8')}\n})`, { filename: test })
const packages = createRequire(import.meta.url)
/** All modules of the test are evaluated again, so that nothing is remembered of another mutant. */
const evaluate = script.runInThisContext() as (...args: readonly unknown[]) => void

const reached = new Set<number>()
const acts = Reflect.get(globalThis, '__acts')
Object.assign(globalThis, { __acts: (mutant: number) => reached.add(mutant) === undefined })
// Twice: a test that passes only the first time would kill every mutant.
const isSound = (await passes()) && (await passes())
Object.assign(globalThis, { __acts: acts })
if (!isSound) throw new Error(`${test} fails without a mutant; run it with npm test first`)

parentPort?.on('message', async (mutant: number) => {
  Object.assign(globalThis, { __mutant: mutant })
  const isKilled = reached.has(mutant) && !(await passes())
  Object.assign(globalThis, { __mutant: -1 })
  parentPort?.postMessage({ mutant, killer: isKilled ? test : undefined })
})
parentPort?.postMessage({ ready: 1 })

async function passes(): Promise<boolean> {
  const root = new Test({ name: test })
  root.resume()
  const ended = root.test(test, async (t) => {
    const module = { exports: {} }
    evaluate((name: string) => (name === 'tap' ? t : packages(name)), module, module.exports)
  })
  root.end()
  await ended
  return ended.subtest?.passing() ?? false
}
