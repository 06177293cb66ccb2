// Loaded into the server under test: SIGUSR2 writes what it holds and how long it has kept others waiting since the last time.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()

// On a busy machine others make us wait too: a stall is ours as far as the process itself used the processor in it.
let at = performance.now()
let used = process.cpuUsage()
let ownStallMs = 0
setInterval(() => {
  const now = performance.now()
  const spent = process.cpuUsage(used)
  const late = now - at - 10
  ownStallMs = Math.max(ownStallMs, Math.min(late, (spent.user + spent.system) / 1000))
  at = now
  used = process.cpuUsage()
}, 10).unref()

process.on('SIGUSR2', () => {
  globalThis.gc()
  const { heapUsed, rss } = process.memoryUsage()
  const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length
  const resources = process.getActiveResourcesInfo().length - sockets
  process.stderr.write(`WATCH ${JSON.stringify({ heapUsed, rss, sockets, resources, stallMs: delay.max / 1e6, ownStallMs })}\n`)
  delay.reset()
  ownStallMs = 0
  at = performance.now()
})
