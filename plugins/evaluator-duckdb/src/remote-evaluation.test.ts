import type { ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startEvaluatorProcess } from './evaluator-process.js'
import type { Answer } from './messages.js'
import { type Bounds, boundsOf } from './options.js'
import { EvaluatorProcesses, type RemoteEvaluation } from './remote-evaluation.js'

t.setTimeout(300_000)

/** Minutes of work within one call of a function, in which DuckDB heeds no interrupt. */
const DEAF = "SELECT levenshtein(repeat('a', 400000), repeat('b', 400000)) FROM range(100)"

function started(t: Test, { bounds = boundsOf({}), graceMs = 600_000 }: { bounds?: Bounds; graceMs?: number } = {}) {
  const children: ChildProcess[] = []
  const start = (given: Bounds) => {
    const child = startEvaluatorProcess(given)
    children.push(child)
    return child
  }
  const processes = new EvaluatorProcesses(bounds, { start, graceMs })
  t.teardown(() => processes.close())
  return { children, processes }
}

/** Resolves when the process has worked for so long since the call: it is within the function then. */
async function hasWorked({ pid }: ChildProcess, milliseconds: number): Promise<void> {
  const worked = () => {
    const [, user, system] = /\) \S(?: \S+){10} (\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? []
    return (Number(user) + Number(system)) * 10
  }
  const before = worked()
  while (worked() - before < milliseconds) await setTimeout(20)
}

/** The rows of an answer, counted. */
async function rowsOf(evaluation: RemoteEvaluation, sql: string): Promise<number> {
  let rows = 0
  const count = (answer: Answer) => {
    if (answer.kind === 'answer') rows += answer.rowCount
  }
  await evaluation.ask({ kind: 'run', sql }, count)
  return rows
}

const needsProc = { skip: process.platform !== 'linux' && 'only Linux shows the work of another process' }

t.test(
  'a statement that ignores an interrupt ends with its process, and other statements are unaffected',
  needsProc,
  async (t) => {
    const { children, processes } = started(t, { graceMs: 100 })
    const [deaf, other] = [processes.open(), processes.open()]
    t.equal(await rowsOf(other, 'SELECT * FROM range(3000)'), 3000)
    const asked = deaf.ask({ kind: 'run', sql: DEAF })
    await hasWorked(children[0]!, 300)
    deaf.stop(new Error('its time is over'))
    await t.rejects(asked, { message: 'its time is over' })
    deaf.end()
    const next = processes.open()
    t.equal(await rowsOf(next, 'SELECT 1'), 1, 'who comes next is answered')
    t.equal(children.length, 2, 'by another process')
    t.equal(await rowsOf(other, 'SELECT 1'), 1, 'and who was there before goes on')
    t.same([children[0]?.exitCode, children[0]?.signalCode], [null, null])
    const exit = once(children[0]!, 'exit')
    other.end()
    // What is waited for here keeps nothing alive by itself.
    children[0]!.ref()
    await exit
    t.equal(children[0]?.signalCode, 'SIGKILL', 'until the first one is not needed')
    next.end()
  },
)

t.test('a statement that obeys an interrupt leaves its process running', async (t) => {
  const { children, processes } = started(t)
  const slow = processes.open()
  const asked = slow.ask({
    kind: 'run',
    sql: 'SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range < 0',
  })
  slow.stop(new Error('enough'))
  await t.rejects(asked, { message: 'enough' })
  slow.end()
  const next = processes.open()
  t.equal(await rowsOf(next, 'SELECT 1'), 1)
  next.end()
  t.equal(children.length, 1)
})

t.test('if a process ends unexpectedly, its statements fail and the next one is answered', async (t) => {
  const { children, processes } = started(t)
  const first = processes.open()
  t.equal(await rowsOf(first, 'SELECT 1'), 1)
  const asked = first.ask({ kind: 'run', sql: DEAF })
  children[0]?.kill('SIGKILL')
  await t.rejects(asked, { code: 'EVALUATION_TOO_LARGE' })
  first.end()
  const next = processes.open()
  t.equal(await rowsOf(next, 'SELECT 1'), 1)
  next.end()
})

t.test('memory that the engine does not count ends the statement, and the process that keeps it', async (t) => {
  const { children, processes } = started(t, { bounds: boundsOf({ memoryLimit: '40MB' }) })
  const large = processes.open()
  const texts = "SELECT max(length(lpad(range::VARCHAR, 100000, 'x'))) FROM range(200000)"
  await t.rejects(large.ask({ kind: 'run', sql: texts }), { code: 'EVALUATION_TOO_LARGE' })
  large.end()
  const next = processes.open()
  t.equal(await rowsOf(next, 'SELECT 1'), 1)
  t.equal(children.length, 2)
  next.end()
})

/** A process that says what a test has it say. */
class Played extends EventEmitter {
  readonly connected = true
  readonly channel = undefined
  readonly asked: unknown[] = []
  signal: string | undefined

  send(request: unknown): void {
    this.asked.push(request)
  }
  kill(signal: string): void {
    this.signal = signal
    this.emit('exit')
  }
  ref(): void {}
  unref(): void {}
}

function played() {
  const children: Played[] = []
  const start = () => {
    const child = new Played()
    children.push(child)
    return child as unknown as ChildProcess
  }
  return { children, processes: new EvaluatorProcesses(boundsOf({}), { start, graceMs: 600_000 }) }
}

t.test('all statements in a process that has grown get the memory error, also if it ends before they have stopped', async (t) => {
  const { children, processes } = played()
  const waiting = [processes.open(), processes.open()].map((one) => one.ask({ kind: 'run', sql: 'SELECT 1' }))
  children[0]?.emit('message', { kind: 'grown' })
  t.same(
    children[0]?.asked.filter((request) => (request as { kind: string }).kind === 'stop'),
    [
      { id: 0, kind: 'stop' },
      { id: 1, kind: 'stop' },
    ],
  )
  children[0]?.kill('SIGKILL')
  for (const one of waiting) await t.rejects(one, { code: 'EVALUATION_TOO_LARGE', message: /needs more memory/ })
})

t.test('there are at most two processes: the older one is ended', async (t) => {
  const { children, processes } = played()
  const used = [processes.open()]
  for (const next of [1, 2]) {
    children.at(-1)?.emit('message', { kind: 'worn' })
    used.push(processes.open())
    t.equal(children.length, next + 1)
  }
  t.same(
    children.map((child) => child.signal),
    ['SIGKILL', undefined, undefined],
  )
  await t.rejects(used[0]!.ask({ kind: 'run', sql: 'SELECT 1' }), { code: 'EVALUATION_TOO_LARGE' })
  await processes.close()
  t.same(
    children.map((child) => child.signal),
    ['SIGKILL', 'SIGKILL', 'SIGKILL'],
  )
})
