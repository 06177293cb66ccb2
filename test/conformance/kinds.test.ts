/** The suites of formats, authenticators, functions, evaluators and languages: every built-in passes, and a broken one fails. */

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { builtInAggregates, builtInFunctions, GrainlineError } from '@grainline/core'
import { builtInFormats, type ResultFormat } from '@grainline/core/format'
import type { Language } from '@grainline/core/language'
import type { Authenticator } from '@grainline/core/surface'
import {
  authenticatorConformance,
  evaluatorConformance,
  formatConformance,
  functionConformance,
  languageConformance,
} from '@grainline/core/testing'
import type { Evaluator } from '@grainline/core/vendor'
import { duckdb } from '@grainline/dialect-duckdb'
import { postgres } from '@grainline/dialect-postgres'
import { duckdbEvaluator } from '@grainline/evaluator-duckdb'
import { parquet } from '@grainline/format-parquet'
import { semanticQl } from '@grainline/semantic-ql'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { apiKey } from '../../core/src/auth/api-key.js'
import { none } from '../../core/src/host/built-in.js'
import { failuresOf } from './failures-of.js'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')
/** The number of records of a delimited text; line ends inside quotes do not count. */
const records = (bytes: Uint8Array) =>
  text(bytes)
    .replace(/"[^"]*"/g, '')
    .split(/\r?\n/)
    .filter((line) => line !== '').length - 1

async function rowsInParquet(bytes: Uint8Array): Promise<number> {
  const file = path.join(t.testdir({}), 'answer.parquet')
  writeFileSync(file, bytes)
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  try {
    return Number((await connection.runAndReadAll(`SELECT count(*) FROM read_parquet('${file}')`)).getRows()[0]![0])
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const COUNTS: Readonly<Record<string, (bytes: Uint8Array) => number | Promise<number>>> = {
  ndjson: (bytes) =>
    text(bytes)
      .split('\n')
      .filter((line) => line !== '').length,
  csv: records,
  tsv: records,
  arrow: (bytes) => tableFromIPC(bytes).numRows,
  parquet: rowsInParquet,
}

for (const format of [...builtInFormats, parquet]) formatConformance(t, { format, rowsIn: COUNTS[format.name]! })

t.test('a format that buffers all rows and writes nothing for an empty answer fails', async (t) => {
  const broken: ResultFormat = {
    name: 'Broken',
    mediaType: 'application/json',
    alsoKnownAs: [],
    async *encode({ batches }) {
      let rows = 0
      for await (const batch of batches) {
        rows += batch.rowCount
        if (rows > 10_000) break
      }
      if (rows > 0) yield Buffer.from(`${rows - 1} ${Math.random()}`)
    },
  }
  const failures = await failuresOf((runner) =>
    formatConformance(runner, { format: broken, rowsIn: (bytes) => Number.parseInt(text(bytes), 10) }),
  )
  t.match(failures, [/request it/, /every row/, /without rows/, /same bytes/, /releases the rows/])
})

const KEY = 'a key of the suite'
authenticatorConformance(t, { authenticator: apiKey([KEY]), good: { scheme: 'header', value: KEY } })
authenticatorConformance(t, { authenticator: none, good: { scheme: 'header', value: KEY }, open: true })

t.test('an authenticator that uses the key as the id of a client and compares only a prefix fails', async (t) => {
  const broken: Authenticator = {
    name: 'broken',
    async authenticate(credential) {
      if (!credential) throw new Error('who is there?')
      if (!KEY.startsWith(credential.value.slice(0, 5))) throw new GrainlineError('AUTH_INVALID', `${credential.value} is wrong`)
      return { id: credential.value }
    },
  }
  const good = { scheme: 'bearer', value: KEY } as const
  const failures = await failuresOf((runner) => authenticatorConformance(runner, { authenticator: broken, good }))
  t.match(failures, [/has an id/, /AUTH_REQUIRED/, /nearly correct/])
})

const portable = [...builtInFunctions.values()].filter((spec) => !spec.internal)
functionConformance(t, { functions: portable, aggregates: [...builtInAggregates.values()], dialects: [duckdb, postgres] })

t.test('a function with an invalid name, meaning, type and spelling fails', async (t) => {
  const broken = {
    name: 'Twice',
    arity: [1, 1],
    result: () => ({ kind: 'number' }),
    meaning: 'twice',
    spellings: { duckdb: () => 'twice()' },
  } as never
  const failures = await failuresOf((runner) => functionConformance(runner, { functions: [broken], dialects: [duckdb] }))
  t.equal(failures.length, 4)
})

const forbidden = [
  "SELECT * FROM read_csv('/etc/passwd')",
  "SELECT * FROM '/etc/passwd'",
  "SELECT getenv('HOME')",
  'SET memory_limit = 1',
]
evaluatorConformance(t, { open: () => duckdbEvaluator(), forbidden })

t.test('an evaluator that answers every statement with no rows fails', async (t) => {
  const broken: Evaluator = {
    name: 'broken',
    functions: {},
    type: () => 'TEXT',
    evaluate: async () => ({ schema: [], batches: [] as never }),
  }
  const failures = await failuresOf((runner) => evaluatorConformance(runner, { open: () => broken, forbidden }))
  t.equal(failures.length, 5 + 2 + forbidden.length + 2)
})

languageConformance(t, {
  language: semanticQl,
  one: 'SELECT "Country", "Revenue" FROM shop',
  faulty: 'SELECT "Country", "Revenu" FROM shop',
})

t.test('a language that parses every text as the same query fails', async (t) => {
  const broken: Language = {
    ...semanticQl,
    name: 'Broken',
    read: async ({ scope }) => {
      const query = { select: { measures: ['Revenue'] }, limit: Number(process.hrtime.bigint() % 1_000_000n) }
      return {
        kind: 'model_query',
        modelQuery: { model: scope.chosen!, query, preview: undefined },
        items: [{ name: 'x', column: 'x' }],
      }
    },
    relations: async () => [],
    parameterTypes: async () => [{ kind: 'string' }],
  }
  const failures = await failuresOf((runner) => languageConformance(runner, { language: broken, one: 'a', faulty: 'b' }))
  t.equal(failures.length, 9)
})
