/** `grainline rollup`: the statement of a table, the model of dbt, and what a question would read. */
import { main } from '@grainline/core/cli'
import t from 'tap'
import { SHOP } from '../support/models.js'
import { ownFolderWithin } from '../support/own-folder.js'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const ROLLUPS = `
rollups:
  Daily {{ Sales:
    dataObject: Orders
    schema: small
    code: daily
    dimensions: [{ field: Day, grain: day }, Status]
    measures: [Sales]
    where: [{ field: Status, op: neq, value: '{% raw %}' }]
`
const WOULD = `
dimensions:
  Amount: { dataObject: Orders, column: Amount }
rollups:
  By Amount: { dataObject: Orders, dimensions: [Amount], measures: [Sales] }
`
const config = `plugins:
  - '@grainline/dialect-duckdb'
  - '@grainline/dialect-trino'
  - '@grainline/vendor-duckdb'
  - '@grainline/surface-rest'
`
const cwd = ownFolderWithin(t, {
  'shop.yaml': SHOP + ROLLUPS,
  'would.yaml': WOULD,
  'wrong.yaml': 'measures: {}',
  'plain.yaml': SHOP,
  'config.yaml': config,
})

async function run(...args: string[]) {
  const { stdout, stderr, written } = streamsThatKeep()
  const code = await main(['rollup', ...args, '--config', 'config.yaml'], { stdout, stderr, cwd, env: {} })
  return { code, ...written() }
}

t.test('sql prints the statement, in any dialect', async (t) => {
  const { code, out, err } = await run('sql', 'shop.yaml', 'daily {{ sales')
  t.equal(code, 0, err)
  t.match(out, /^-- rollup "Daily \{\{ Sales", definition [0-9a-f]{64}\nSELECT/)
  t.match(out, /row_count/)
  const other = JSON.parse((await run('sql', 'shop.yaml', 'Daily {{ Sales', '--dialect', 'trino', '--json')).out)
  t.match(other, {
    rollup: 'Daily {{ Sales',
    dialect: 'trino',
    columns: ['day_day', 'status', 'row_count', 'sales'],
    table: { schema: 'small', name: 'daily' },
  })
})

t.test('dbt prints a model whose text is no Jinja', async (t) => {
  const { out } = await run('dbt', 'shop.yaml', 'Daily {{ Sales')
  const [first = '', ...rest] = out.split('\n')
  t.match(first, /^\{\{ config\(materialized='table', alias="daily_[0-9a-f]{12}", schema="small"\) \}\}$/)
  const text = rest.join('\n')
  t.match(text, "{{ '{' }}% raw %}", 'a value of a condition')
  t.equal(text.replaceAll("{{ '{' }}", '').search(/\{[{%#]/), -1)
})

t.test('why names the tables and the reasons', async (t) => {
  const { out } = await run('why', 'shop.yaml', '-d', 'Status', '-m', 'Sales', '-m', 'Buyers', '-w', 'Status = paid')
  t.equal(
    out,
    "Daily {{ Sales: ROWS_MISSING (Status): holds only rows that meet its condition on 'Status', and the question asks for others\nRead from rows: Sales, Buyers\n",
  )
  const would = await run('why', 'plain.yaml', '--would', 'would.yaml', '-m', 'Sales')
  t.equal(would.out, 'By Amount: holds Sales\nEvery number of the question could be read from rollups\n', would.err)
  t.match(JSON.parse((await run('why', 'plain.yaml', '--would', 'would.yaml', '-m', 'Buyers', '--json')).out), [
    { rollup: 'By Amount', measures: [], others: ['Buyers'], reason: 'NOT_ADDITIVE', field: 'Buyers' },
  ])
  t.equal((await run('why', 'plain.yaml', '-m', 'Sales')).out, 'The model has no rollups that you see\n')
})

t.test('wrong calls say what is wrong', async (t) => {
  for (const [args, says] of [
    [[], /sql, dbt, build, status, verify or why/],
    [['what', 'shop.yaml'], /not 'what'/],
    [['sql', 'shop.yaml'], /the name of a rollup/],
    [['sql', 'shop.yaml', 'Dayly {{ Sales'], /not a rollup of this model/],
    [['sql', 'shop.yaml', 'Daily {{ Sales', '--would', 'would.yaml'], /rollup why/],
    [['why', 'plain.yaml', '--would', 'wrong.yaml', '-m', 'Sales'], /needs rollups/],
  ] as const) {
    const { code, err } = await run(...args)
    t.not(code, 0)
    t.match(err, says)
  }
})
