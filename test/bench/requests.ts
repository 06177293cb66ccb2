import autocannon from 'autocannon'
import Fastify from 'fastify'
import type { Measurement } from './measurement.js'
import { builtStart, isBuilt, npmStart } from './server.js'

const SECONDS = 5
const CONNECTIONS = 16
const body = JSON.stringify({
  select: { dimensions: ['Origin Airport', 'Month'], measures: ['Average Departure Delay', 'Cancellation Rate'] },
  order_by: [{ field: 'Origin Airport' }, { field: 'Month' }],
})

/** Questions compiled per second over HTTP, beside a route that only parses and answers JSON of the same size. */
export async function requestBench(): Promise<readonly Measurement[]> {
  const server = await (isBuilt() ? builtStart() : npmStart())
  try {
    const url = `${server.url}/v1/query/sql`
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
    const ours = await shoot(url)
    const bare = await bareFastify((await answer.json()) as object)
    const note = `${((100 * ours) / bare).toFixed(0)} % of the bare route`
    return [
      { name: 'POST /v1/query/sql', value: ours, unit: 'requests/s', target: undefined, better: 'more', note },
      { name: 'the same bytes from a bare Fastify route', value: bare, unit: 'requests/s', target: undefined, better: 'more' },
    ]
  } finally {
    await server.stop()
  }
}

async function bareFastify(answer: object): Promise<number> {
  const app = Fastify()
  app.post('/', async () => answer)
  try {
    return await shoot(await app.listen({ port: 0 }))
  } finally {
    await app.close()
  }
}

async function shoot(url: string): Promise<number> {
  const options = {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    connections: CONNECTIONS,
  } as const
  await autocannon({ ...options, duration: 2 })
  const result = await autocannon({ ...options, duration: SECONDS })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return result.requests.average
}
