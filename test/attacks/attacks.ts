/** Attacks on other clients of an open server that once succeeded, by their numbers in the findings. Each returns the responses. */
import type { Attacker } from './attacker.js'

export interface Attack {
  readonly number: number
  readonly what: string
  readonly make: (attacker: Attacker) => Promise<readonly string[]>
  /** Part of every response. A query that times out in the middle of its answer is reset. */
  readonly says: RegExp
  /** How many turns of the event loop an attack may block; 1 by default. */
  readonly turns?: number
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
const keys = (count: number, value = '1') => `{${numbers(count).map((i) => `"k${i}":${value}`)}}`
const once = (count: number, ask: () => Promise<string>) => Promise.all(numbers(count).map(ask))

const over = (code: string) => ({
  version: 1,
  name: 'over',
  dataObjects: { Things: { code, columns: { V: { code: 'v', abstractType: 'string' } } } },
  dimensions: { V: { dataObject: 'Things', column: 'V' } },
})
const ACTING = [
  "enable_logging('QueryLog', storage := 'file', storage_path := '/nope')",
  "enable_logging('QueryLog')",
  'duckdb_logs()',
  "enable_profiling(save_location := '/tmp/grainline-attack.json')",
  'duckdb_settings()',
  "read_blob('/etc/passwd')",
].map((call) => over(`(SELECT 'x' AS v FROM ${call})`))

const execute = (query: object) => (attacker: Attacker) => attacker.post('/v1/query/execute', { session_id: 'flights', query })
const expression = (text: string) => execute({ select: { dimensions: [{ expression: text, as: 'X' }] }, limit: 5 })
const replaces = (depth: number): string =>
  depth === 0 ? '{[Airline]}' : `replace(${replaces(depth - 1)}, 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')`

const LEAF = '(SELECT "Origin Code" AS code, "Destination Code" AS d, "Flight Count" AS n FROM flights) AS t'
const doubled = (depth: number): string =>
  depth === 0 ? LEAF : `(SELECT code || code AS code, d, n FROM ${doubled(depth - 1)}) AS d${depth}`
const AROUND = [
  `SELECT max(length(${'replace('.repeat(3)}code${", 'J', lpad('', 9000, 'x'))".repeat(3)})) FROM ${LEAF}`,
  `SELECT max(length(code)) FROM ${doubled(20)}`,
  `SELECT string_agg(lpad(code, 9000, 'x'), ',') FROM ${LEAF} CROSS JOIN (SELECT "Destination Code" AS e FROM flights) AS u CROSS JOIN (SELECT "Destination Code" AS f FROM flights) AS v`,
]

const column = { code: 'c', abstractType: 'int', description: 'd'.repeat(60) }
const large = (name: string) => ({
  version: 1,
  name,
  dataObjects: Object.fromEntries(
    numbers(4).map((i) => [`O${i}`, { code: `t${i}`, columns: Object.fromEntries(numbers(9000).map((n) => [`c${n}`, column])) }]),
  ),
})
/** As many as one address may load per minute. */
const MODELS = 100

const CHAIN = 3000
const chain = {
  version: 1,
  name: 'chain',
  dataObjects: { T: { code: 't', columns: { N: { code: 'n', abstractType: 'int', numClass: 'additive' } } } },
  measures: { M: { aggregation: 'sum', columns: [{ dataObject: 'T', column: 'N' }] } },
  metrics: Object.fromEntries(
    numbers(CHAIN).map((i) => [`M${i}`, { type: 'derived', expression: `{[${i === 0 ? 'M' : `M${i - 1}`}]} + 1` }]),
  ),
}

const byAirline = { dimensions: ['Airline'], measures: ['Flight Count'] }
const compile = (query: object) => (attacker: Attacker) => attacker.post('/v1/query/sql', { session_id: 'flights', query })
/** Every combination that does not occur: more of them than the time limit has milliseconds. */
const ABSENT = { dimensions: ['Tail Number', 'Destination Code', 'Origin Code', 'Scheduled At', 'Airline'] }

export const ATTACKS: readonly Attack[] = [
  {
    number: 1,
    what: 'table functions that act on the engine',
    make: (attacker) =>
      attacker.inSession((session) =>
        Promise.all(ACTING.map((model_json) => attacker.post(`/v1/sessions/${session}/models`, { model_json }))),
      ),
    says: /MODEL_SQL_DENIED/,
  },
  {
    number: 3,
    what: 'expressions that ask for texts of gigabytes',
    make: (attacker) =>
      Promise.all(
        ["length(lpad({[Airline]}, 50000000, 'x'))", `length(${replaces(3)})`].map((text) => expression(text)(attacker)),
      ),
    says: /STATEMENT_TOO_LARGE/,
  },
  {
    number: 3,
    what: 'statements around models that grow texts',
    make: (attacker) =>
      Promise.all([...AROUND, ...AROUND].map((sql) => attacker.post('/v1/sessions/flights/query/semantic-ql', { sql }))),
    says: /EVALUATION_TOO_LARGE|STATEMENT_TOO_LARGE|QUERY_TIMEOUT|TOO_MANY_STATEMENTS|reset/,
  },
  {
    number: 4,
    what: '1,500,000 unknown keys',
    make: async (attacker) => [await attacker.post('/v1/validate', keys(1_500_000))],
    says: /1500000 keys/,
  },
  {
    number: 4,
    what: 'a document of 2,000,000 keys',
    make: async (attacker) => [await attacker.post('/v1/validate', `{"model_json":${keys(2_000_000)}}`)],
    says: /characters/,
  },
  {
    number: 4,
    what: '90,000 unknown keys of a question',
    make: async (attacker) => [
      await attacker.post('/v1/query/sql', keys(70_000)),
      await attacker.post('/v1/query/sql', keys(90_000)),
    ],
    says: /^422 .*(70|90)000 keys/,
  },
  {
    number: 5,
    what: 'as many valid models of 4 MB as an address may load',
    make: (attacker) =>
      attacker.inSession(async (session) => {
        for (let i = 0; i < MODELS; i++) {
          const heard = await attacker.post(`/v1/sessions/${session}/models`, { model_json: large(`m${i}`) })
          if (!heard.startsWith('201')) return [heard]
        }
        return ['all of them were loaded']
      }),
    says: /429 .*MEMORY_LIMIT/,
    // The heap is filled on purpose, so that garbage is collected during turns of the event loop.
    turns: 2,
  },
  {
    number: 7,
    what: 'a page that made its name lead here, and pages of other origins',
    make: (attacker) =>
      Promise.all([
        attacker.forged('POST', '/v1/sessions', { host: 'evil.example', origin: 'http://evil.example' }),
        ...['/v1/cache/clear', '/v1/sessions', '/v1/verify'].flatMap((path) => [
          attacker.forged('POST', path, { 'sec-fetch-site': 'cross-site' }),
          attacker.forged('POST', path, { origin: 'https://evil.example' }),
        ]),
      ]),
    says: /^403 .*(HOST_REFUSED|ORIGIN_REFUSED)/,
  },
  {
    number: 8,
    what: 'five questions for every combination that does not occur',
    make: (attacker) => once(5, () => execute({ select: ABSENT, dimensions_exclude: true, limit: 5 })(attacker)),
    says: /QUERY_TIMEOUT|TOO_MANY_STATEMENTS|STATEMENT_TOO_LARGE|reset/,
  },
  {
    number: 9,
    what: 'a look into the catalogue that takes gigabytes',
    make: async (attacker) => [await attacker.wire("SELECT repeat('x', 20000000) FROM pg_class, pg_class b")],
    says: /"C":"(54000|53200|57014)"/,
  },
  {
    number: 10,
    what: 'a list of 100,000 values',
    make: async (attacker) => [
      await compile({ select: byAirline, where: [{ field: 'Airline', op: 'in', value: numbers(100_000).map(String) }] })(
        attacker,
      ),
    ],
    says: /QUERY_TOO_LARGE.*QUERY_MAX_VALUES/,
  },
  {
    number: 10,
    what: 'a chain of 3,000 metrics',
    make: (attacker) =>
      attacker.inSession(
        async (session_id) => [
          await attacker.post('/v1/query/sql', { session_id, query: { select: { measures: [`M${CHAIN - 1}`] } } }),
        ],
        chain,
      ),
    says: /COMPILE_BUDGET.*COMPILE_MAX_STEPS/,
  },
  {
    number: 10,
    what: 'one field 20,000 times in the order',
    make: async (attacker) => [
      await compile({ select: byAirline, order_by: numbers(20_000).map(() => ({ field: 'Airline' })) })(attacker),
    ],
    says: /QUERY_MAX_PARTS/,
  },
  {
    number: 11,
    what: 'a file and the settings of the engine, by SQL around a model',
    make: (attacker) =>
      Promise.all(
        ["read_blob('/etc/passwd')", 'duckdb_settings()', 'pg_read_file'].map((from) =>
          attacker.post('/v1/sessions/flights/query/semantic-ql', { sql: `SELECT * FROM ${from}` }),
        ),
      ),
    says: /^(400|404|422) /,
  },
  {
    number: 12,
    what: 'a database that is not configured',
    make: (attacker) =>
      Promise.all(
        ['postgres', 'mysql', 'clickhouse'].map((dialect) =>
          attacker.post('/v1/query/execute', { session_id: 'flights', query: { select: byAirline }, dialect }),
        ),
      ),
    says: /^400 .*NO_CONNECTION/,
  },
  {
    number: 12,
    what: 'a statement for a database that is not configured',
    make: (attacker) =>
      Promise.all(
        ['postgres', 'mysql'].map((dialect) =>
          attacker.post('/v1/query/sql', { session_id: 'flights', query: { select: byAirline }, dialect }),
        ),
      ),
    says: /SQL_NOT_VALIDATED.*"sql_valid":true/,
  },
]
