// A separate thread that requests /health, so that the work of the load test does not count as waiting. Ends at the first message.
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const EVERY_MS = 10
const agent = new http.Agent({ keepAlive: true })
const taken = []
let over = false
parentPort.once('message', () => {
  over = true
})
while (!over) {
  const asked = performance.now()
  await new Promise((resolve, reject) => {
    const answered = (response) => response.resume().once('end', resolve)
    http.get(new URL('/health', workerData), { agent }, answered).once('error', reject)
  })
  taken.push(performance.now() - asked)
  await sleep(EVERY_MS)
}
parentPort.postMessage(taken)
agent.destroy()
