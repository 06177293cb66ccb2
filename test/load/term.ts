import { setTimeout as sleep } from 'node:timers/promises'
import { shopModel, shopQuery } from '../rest/shop.js'
import { Client, type Reply } from './client.js'
import { startWatched } from './server.js'

const CONNECTIONS = 64
/** Twice `closeTimeoutMs`, for the requests and for the resources of the service, plus the time to start stopping. */
const DEADLINE_MS = 25_000

/** SIGTERM during a load: every answer that began is complete, every refused request gets a proper error, and the process stops in time. */
export async function term(): Promise<string> {
  const server = await startWatched()
  const client = new Client(server.url, CONNECTIONS)
  const { session_id } = await client.json<{ session_id: string }>('POST', '/v1/sessions', {})
  const session = `/v1/sessions/${session_id}`
  const { model_id } = await client.json<{ model_id: string }>('POST', `${session}/models`, { model_json: shopModel })
  const seen = { answered: 0, refused: 0, unanswered: 0 }
  let over = false

  const worker = async () => {
    while (!over) {
      const body = JSON.stringify({ model_id, query: shopQuery })
      const reply = await client.send('POST', `${session}/query/execute`, body).catch(() => undefined)
      if (reply === undefined) {
        seen.unanswered += 1
        return
      }
      if (isAnswer(reply)) seen.answered += 1
      else if (isRefusal(reply)) seen.refused += 1
      else throw new Error(`neither an answer nor a refusal: ${reply.status} ${reply.complete} ${reply.text.slice(0, 300)}`)
    }
  }
  const workers = Promise.all(Array.from({ length: CONNECTIONS }, worker))
  await sleep(3000)
  const before = { ...seen }
  const began = performance.now()
  server.kill('SIGTERM')
  const code = await Promise.race([server.ended, sleep(DEADLINE_MS, 'hangs' as const)])
  const ms = performance.now() - began
  over = true
  await workers
  client.close()
  if (code !== 0)
    throw new Error(`the server ${code === 'hangs' ? `is still there after ${DEADLINE_MS} ms` : `ended with ${code}`}`)
  return `SIGTERM after ${before.answered} answers on ${CONNECTIONS} connections: ${seen.answered - before.answered} more were answered whole, ${seen.refused} refused with a reason, ${seen.unanswered} found the connection closed before any answer; the process ended after ${ms.toFixed(0)} ms with code 0`
}

function isAnswer({ status, complete, text }: Reply): boolean {
  return status === 200 && complete && (JSON.parse(text) as { rows: unknown[] }).rows.length === 3
}

function isRefusal({ status, complete, type }: Reply): boolean {
  return status === 503 && complete && (type.startsWith('application/problem+json') || type.startsWith('application/json'))
}
