// Measurements inside the server under test (watch.mjs): SIGUSR2 writes its memory and how long it has blocked others since the last
// signal.
import { createHook, executionAsyncResource } from 'node:async_hooks'
import { existsSync, openSync, readSync } from 'node:fs'
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'

const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()

const own = `/proc/self/task/${process.pid}/schedstat`
const schedstat = existsSync(own) ? openSync(own, 'r') : undefined
const digits = Buffer.alloc(64)

// On a busy machine other processes delay the event loop, too: a delay counts as ours only for the processor time of this thread.
let at = performance.now()
let used = usedMs()
let ownStallMs = 0
const beats = new Int32Array(new SharedArrayBuffer(4))
setInterval(() => {
  const now = performance.now()
  const spent = usedMs() - used
  ownStallMs = Math.max(ownStallMs, Math.min(now - at - 10, spent))
  at = now
  used += spent
}, 10).unref()

// Between two turns of that timer the loop serves all ready sockets. The time of each call out of the loop is measured separately,
// including the promises and ticks that follow it.
let ownCallMs = 0
let calledAt = usedMs()
let stoodAt = performance.now()
createHook({
  before() {
    if (followsAnother(executionAsyncResource())) return
    const now = performance.now()
    const usedNow = usedMs()
    ownCallMs = Math.max(ownCallMs, Math.min(now - stoodAt, usedNow - calledAt))
    stoodAt = now
    calledAt = usedNow
    Atomics.add(beats, 0, 1)
  },
}).enable()

/** A promise or a tick runs before the loop continues. */
const followsAnother = (resource) => resource instanceof Promise || ('callback' in resource && 'args' in resource)

let gcMs = 0
let collections = []
new PerformanceObserver((list) => {
  for (const { duration, startTime } of list.getEntries()) {
    gcMs = Math.max(gcMs, duration)
    if (duration > 10) collections.push({ from: performance.timeOrigin + startTime, ms: duration })
  }
}).observe({ entryTypes: ['gc'] })

/** The elapsed time of garbage collection in a turn. */
const collectedIn = ({ from, at }) =>
  Math.round(collections.filter((each) => each.from >= from - 5 && each.from <= at).reduce((sum, { ms }) => sum + ms, 0))

const turns = process.env.WATCH_TURNS && existsSync('/proc/self/schedstat') ? watchTurns() : undefined

/** A thread that reports the code of long turns; each look takes some milliseconds. */
function watchTurns() {
  const worker = new Worker(new URL('./turns.mjs', import.meta.url), { workerData: { beats, pid: process.pid }, execArgv: [] })
  worker.unref()
  return () => new Promise((resolve) => worker.once('message', resolve).postMessage('tell'))
}

/** The processor time of the main thread as Linux counts it; on other systems of the whole process. */
function usedMs() {
  if (schedstat === undefined) {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  return Number.parseInt(digits.latin1Slice(0, readSync(schedstat, digits, 0, digits.length, 0)), 10) / 1e6
}

process.on('SIGUSR2', async () => {
  const longest = ((await turns?.()) ?? []).map((turn) => ({ ...turn, gc: collectedIn(turn) }))
  collections = []
  globalThis.gc()
  const { heapUsed, rss } = process.memoryUsage()
  const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length
  const resources = process.getActiveResourcesInfo().length - sockets
  const told = { heapUsed, rss, sockets, resources, stallMs: delay.max / 1e6, ownStallMs, ownCallMs, gcMs, longest }
  process.stderr.write(`WATCH ${JSON.stringify(told)}\n`)
  delay.reset()
  ownStallMs = ownCallMs = gcMs = 0
  at = stoodAt = performance.now()
  used = calledAt = usedMs()
})
