// Loaded into the server under test: SIGUSR2 writes what it holds and how long it has kept others waiting since the last time.
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()

// On a busy machine others make us wait too: a stall is ours as far as this thread used the processor in it.
let at = performance.now()
let used = usedMs()
let ownStallMs = 0
setInterval(() => {
  const now = performance.now()
  const spent = usedMs() - used
  ownStallMs = Math.max(ownStallMs, Math.min(now - at - 10, spent))
  at = now
  used += spent
}, 10).unref()

/** Of the main thread, as Linux counts it; elsewhere of the whole process. */
function usedMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

process.on('SIGUSR2', () => {
  globalThis.gc()
  const { heapUsed, rss } = process.memoryUsage()
  const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length
  const resources = process.getActiveResourcesInfo().length - sockets
  process.stderr.write(`WATCH ${JSON.stringify({ heapUsed, rss, sockets, resources, stallMs: delay.max / 1e6, ownStallMs })}\n`)
  delay.reset()
  ownStallMs = 0
  at = performance.now()
  used = usedMs()
})
