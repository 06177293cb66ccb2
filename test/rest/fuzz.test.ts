import t from 'tap'
import { amount } from '../support/amount.js'
import { mutate, mutateText, random } from './mutate.js'
import { type Answer, executing, startRest } from './server.js'
import { shopModel, shopQuery } from './shop.js'

// A busy machine needs more time for so many.
t.setTimeout(600_000)

/** For each kind; FUZZ_CASES=10000 runs more. */
const COUNT = Number(process.env['FUZZ_CASES'] ?? amount(1000, 10_000))
const plugins = ['@grainline/dialect-duckdb', '@grainline/dialect-postgres']

const question = {
  query: {
    ...shopQuery,
    where: [
      { field: 'Region', op: 'in', value: ['North', 'South'] },
      {
        logic: 'or',
        negated: true,
        filters: [
          { field: 'Sale Id', op: 'gt', value: 1 },
          { field: 'Region', op: 'contains', value: 'o' },
        ],
      },
    ],
    having: [{ field: 'Revenue', op: 'gte', value: 5 }],
    select: { dimensions: ['Region', 'Sale Id'], measures: ['Revenue', 'Revenue per Sale'] },
    limit: 10,
    offset: 1,
    use_path_names: [],
    timezone: 'UTC',
  },
  dialect: 'duckdb',
}

/** Every request is answered, no answer is an error of ours, and every error has a reason. */
function faultOf({ status, body, headers }: Answer): string | undefined {
  if (status >= 500) return `${status} ${body?.detail}`
  if (status < 400) return undefined
  const explained =
    String(headers['content-type']).startsWith('application/problem+json') && body?.code && body?.detail && body?.request_id
  return explained ? undefined : `${status} without a reason`
}

async function fuzz(
  t: { fail(message: string): void; pass(message: string): void },
  ask: (i: number) => { sent: unknown; answer: Promise<Answer> },
) {
  const statuses = new Map<number, number>()
  for (let i = 0; i < COUNT; i++) {
    const { sent, answer } = ask(i)
    const got = await answer
    const fault = faultOf(got)
    statuses.set(got.status, (statuses.get(got.status) ?? 0) + 1)
    if (fault) return t.fail(`case ${i}: ${fault}\n${JSON.stringify(sent).slice(0, 2000)}`)
  }
  t.pass(`${COUNT} answers: ${JSON.stringify(Object.fromEntries(statuses))}`)
}

t.test('no query body causes a server error', async (t) => {
  const server = await startRest({ plugins })
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const next = random(20260101)
  await fuzz(t, (i) => {
    const valid = i % 2 === 0 ? question : { ...question, model_id: model }
    const sent = mutate(valid, next)
    const text = i % 10 === 0 ? mutateText(JSON.stringify(sent), next) : JSON.stringify(sent)
    const url = i % 2 === 0 ? '/v1/query/sql' : `/v1/sessions/${session}/query/plan`
    return { sent: text, answer: server.post(url, text, { 'content-type': 'application/json' }) }
  })
})

t.test('no model text causes a server error', async (t) => {
  const server = await startRest({ plugins, settings: { MAX_MODELS_PER_SESSION: 20 } })
  t.teardown(() => server.close())
  const { session } = await server.shop()
  const text = JSON.stringify(shopModel, null, 1)
  const yaml = text.replace(/"([A-Za-z ]+)":/g, '$1:')
  const next = random(20260102)
  await fuzz(t, (i) => {
    const sent =
      i % 3 === 0 ? { model_json: mutate(shopModel, next) } : { model_yaml: mutateText(i % 3 === 1 ? yaml : text, next) }
    const url = i % 4 === 0 ? `/v1/sessions/${session}/models` : '/v1/validate'
    return { sent, answer: server.post(url, sent) }
  })
})

t.test('the database accepts every query that compiles', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  await server.shop()
  const next = random(20260103)
  let answered = 0
  for (let i = 0; i < COUNT / 5; i++) {
    const sent = JSON.stringify(mutate(question, next))
    const { status, body } = await server.post('/v1/query/execute', sent, { 'content-type': 'application/json' })
    if (status >= 500) return t.fail(`${body?.code} ${body?.detail}\n${sent}`)
    if (status === 200) answered += 1
  }
  t.ok(answered > COUNT / 100, `${answered} of them were answered`)
})
