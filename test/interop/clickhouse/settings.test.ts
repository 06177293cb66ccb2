/** The corpus and the functions through the vendor, for a user whose profile has other settings than those of ClickHouse. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { silentLogger } from '@grainline/core'
import { clickhouse } from '@grainline/dialect-clickhouse'
import { clickhouseVendor, plansOf } from '@grainline/vendor-clickhouse'
import t from 'tap'
import { suitesThroughVendor } from '../through-vendor.js'
import { NUMBER } from '../vendor-suite.js'
import { missingChdb, python, translated } from './engine.js'
import { witness } from './witness.js'

/** Each changes what a statement means, or how much of its answer arrives and how. https://clickhouse.com/docs/operations/settings/settings */
const SETTINGS: Readonly<Record<string, string>> = {
  compatibility: "'22.3'",
  aggregate_functions_null_for_empty: '0',
  bool_true_representation: "'Y'",
  cast_keep_nullable: '1',
  count_distinct_implementation: "'uniqCombined'",
  decimal_check_overflow: '0',
  empty_result_for_aggregation_by_constant_keys_on_empty_set: '0',
  empty_result_for_aggregation_by_empty_set: '1',
  enable_positional_arguments: '0',
  extremes: '1',
  force_grouping_standard_compatibility: '0',
  format_tsv_null_representation: "'none'",
  group_by_overflow_mode: "'any'",
  group_by_use_nulls: '1',
  join_default_strictness: "'ANY'",
  join_use_nulls: '0',
  limit: '2',
  output_format_tsv_crlf_end_of_line: '1',
  prefer_column_name_to_alias: '1',
  result_overflow_mode: "'break'",
  session_timezone: "'Asia/Kolkata'",
  short_circuit_function_evaluation: "'disable'",
  transform_null_in: '1',
  union_default_mode: "'DISTINCT'",
}

await suitesThroughVendor(
  t,
  async () => {
    if (missingChdb) return missingChdb
    const settings = Object.entries(SETTINGS).map(([name, value]) => `SET ${name} = ${value}`)
    const child = spawn(python, [new URL('chdb_http.py', import.meta.url).pathname, ...settings], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    const url = `http://127.0.0.1:${String(port).trim()}`
    const connection = await clickhouseVendor(plansOf({ url }, { CLICKHOUSE_URL: undefined })[0]!).connect({
      logger: silentLogger,
      poolSize: 1,
    })
    const engine = {
      dialect: clickhouse,
      async load(statements: string) {
        for (const body of translated(statements)) {
          const answer = await fetch(url, { method: 'POST', body })
          if (!answer.ok) throw new Error(await answer.text())
        }
      },
      close: async () => void child.kill(),
    }
    return { engine, connection }
  },
  witness,
  {
    async 'a limit of rows'(t, open) {
      const { ask, load } = await open()
      await load('SET max_result_rows = 1')
      t.test('refuses a longer answer, and does not shorten it without an error', async (t) => {
        await t.rejects(ask('SELECT number AS n FROM numbers(3)', NUMBER), { code: 'DATABASE_ERROR', message: /rows/ })
      })
    },
  },
)
