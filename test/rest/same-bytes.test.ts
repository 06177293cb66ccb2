/**
 * A question asked again has the same bytes, with any number of threads and whatever else runs, up to the digits that docs/result-formats.md names.
 * BYTES_SEED and BYTES_QUESTIONS select other questions.
 */
import t from 'tap'
import { componentsOf } from '../oracle/generate/later.js'
import { randomFrom } from '../oracle/generate/random.js'
import { asWritten, type ModelJson, type QueryJson } from '../oracle/model.js'
import { amount } from '../support/amount.js'
import { largeModel, largeQuery, largeTables } from './large-tables.js'
import { dialects, type Json, startRest, type TestServer } from './server.js'

const seed = Number(process.env['BYTES_SEED'] ?? 20261127)
/** Half of them over doubles that are hundredths, half over doubles with every digit. */
const questions = Number(process.env['BYTES_QUESTIONS'] ?? amount(8, 1000))
const PER_MODEL = Math.min(8, questions / 2)
/** Answers of a test, so that each ends within the time limit of one, however many there are. */
const PER_TEST = 40
/** No two tests have a model in common. */
const MODELS_OF_A_TEST = 100_000
const THREADS = [1, 2, 4, 8] as const
/** Statements that run beside a question. */
const BESIDE = 3
/** Of the largest value of the column. */
const NINE_DIGITS = 1e-9

interface Answer {
  readonly status: number
  readonly body: Json
  /** The columns and rows as they were sent. */
  readonly cells: string
}

interface Asking {
  readonly json: (query: QueryJson) => Promise<Answer>
  readonly arrow: (query: QueryJson) => Promise<Buffer>
}

for (const cents of [true, false])
  for (let done = 0; done < questions / 2; done += PER_TEST)
    sameAgain(cents, done / PER_TEST, Math.min(PER_TEST, questions / 2 - done))

function sameAgain(cents: boolean, part: number, count: number): void {
  const doubles = cents ? 'hundredths' : 'doubles of every digit'
  const firstModel = part * MODELS_OF_A_TEST
  t.test(`${count} answers over ${doubles} are the same again (BYTES_SEED=${seed}, from model ${firstModel})`, async (t) => {
    const { files, remove } = await largeTables(seed, { cents, copies: THREADS.length })
    const servers = await Promise.all(THREADS.map((threads, i) => serverOver(files[i]!, threads)))
    t.teardown(async () => {
      await Promise.all(servers.map((server) => server.close()))
      remove()
    })
    for (let number = firstModel, answered = 0; answered < count; number++) {
      const random = randomFrom(seed + number)
      const model = largeModel(random)
      const asked = Array.from({ length: PER_MODEL }, () => largeQuery(random, model))
      const askings = await Promise.all(servers.map((server) => asking(server, model)))
      const mayDiffer = (name: string): boolean => !cents || readsStatistic(model, name)
      for (const query of asked.slice(0, count - answered)) {
        const first = await askings[0]!.json(query)
        if (first.status !== 200) continue
        answered++
        for (const [i, again] of askings.entries())
          for (const difference of await differencesOf(first, again, query, asked, mayDiffer))
            t.fail(`model ${number}, ${THREADS[i]} threads: ${difference}\n${JSON.stringify(query)}\n${first.body.sql}`)
      }
    }
    t.end()
  })
}

const serverOver = (database: string, threads: number): Promise<TestServer> =>
  startRest({
    settings: { QUERY_EXECUTE: true, SESSION_RATE_LIMIT: 1_000_000 },
    plugins: [...dialects, { use: '@grainline/vendor-duckdb', with: { database, threads } }],
  })

async function asking(server: TestServer, model: ModelJson): Promise<Asking> {
  const session = (await server.post('/v1/sessions')).body.session_id
  const loaded = await server.post(`/v1/sessions/${session}/models`, { model_json: asWritten(model) })
  if (loaded.status !== 201) throw new Error(loaded.text)
  const ask = (query: QueryJson, format: string) =>
    server.app.inject({
      method: 'POST',
      url: `/v1/sessions/${session}/query/execute?format=${format}`,
      payload: { model_id: loaded.body.model_id, query },
    })
  return {
    json: async (query) => {
      const { statusCode, payload } = await ask(query, 'json')
      const cells = payload.slice(payload.indexOf('"columns":['), payload.lastIndexOf('"row_count":'))
      return { status: statusCode, body: JSON.parse(payload), cells }
    },
    arrow: async (query) => (await ask(query, 'arrow')).rawPayload,
  }
}

/** Alone and beside other statements, as JSON and as Arrow. */
async function differencesOf(
  first: Answer,
  again: Asking,
  query: QueryJson,
  others: readonly QueryJson[],
  mayDiffer: (name: string) => boolean,
): Promise<string[]> {
  const alone = await again.json(query)
  const arrow = await again.arrow(query)
  const beside = others.slice(0, BESIDE).map((other) => again.arrow(other))
  const busy = await again.json(query)
  const busyArrow = await again.arrow(query)
  await Promise.all(beside)
  const cells = [...differences(first, alone, mayDiffer), ...differences(first, busy, mayDiffer)]
  const isExact = first.body.columns.every(({ name, type }: Json) => type !== 'float' || !mayDiffer(name))
  return isExact && !arrow.equals(busyArrow) ? [...cells, 'other bytes of Arrow'] : cells
}

/** Nothing, if the answers have the same bytes or differ in doubles that may do so, after their ninth digit. */
function differences({ body, cells }: Answer, other: Answer, mayDiffer: (name: string) => boolean): string[] {
  if (cells === other.cells) return []
  const rows: readonly (readonly Json[])[] = other.body.rows ?? []
  if (rows.length !== body.rows.length) return [`${rows.length} rows in place of ${body.rows.length}`]
  return body.columns.flatMap(({ name, type }: Json, column: number) => {
    const values: readonly Json[] = body.rows.map((row: readonly Json[]) => row[column])
    const close = type === 'float' && mayDiffer(name) ? NINE_DIGITS * greatest(values) : 0
    const at = values.findIndex((value, row) => !isSame(value, rows[row]?.[column], close))
    return at < 0
      ? []
      : [`'${name}' of row ${at} is ${JSON.stringify(rows[at]?.[column])} in place of ${JSON.stringify(values[at])}`]
  })
}

const isSame = (a: Json, b: Json, close: number): boolean =>
  a === b || (typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= close)

const greatest = (values: readonly Json[]): number =>
  values.reduce((most, value) => (typeof value === 'number' ? Math.max(most, Math.abs(value)) : most), 0)

/** No engine compensates these. */
const STATISTIC = /^(stddev|var|corr|covar|regr)/

function readsStatistic(model: ModelJson, name: string): boolean {
  const metric = model.metrics?.[name]
  if (!metric) return STATISTIC.test(model.measures?.[name]?.aggregation ?? '')
  return STATISTIC.test(metric.aggregation ?? '') || componentsOf(metric).some((read) => readsStatistic(model, read))
}
