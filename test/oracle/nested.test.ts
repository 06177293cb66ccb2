/** Elements of arrays as rows, with hand-computed values; then generated queries that use them. */
import { DuckDBInstance } from '@duckdb/node-api'
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor } from '../support/compile.js'
import { ask, by } from './asking.js'
import { runBatch } from './batch.js'
import { compareCase } from './compare.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import type { ModelJson, Tables } from './model.js'

const model: ModelJson = {
  version: 1,
  name: 'nested',
  dataObjects: {
    Orders: {
      code: 'orders',
      columns: {
        id: { code: 'id', abstractType: 'int', primaryKey: true },
        freight: { code: 'freight', abstractType: 'int' },
        lines: { code: 'lines', abstractType: 'json' },
        words: { code: 'words', abstractType: 'json' },
      },
    },
    Lines: {
      code: '-',
      nestedIn: { dataObject: 'Orders', column: 'lines' },
      columns: {
        sku: { code: 's k u', abstractType: 'string' },
        qty: { code: 'qty', abstractType: 'int' },
        marks: { code: 'marks', abstractType: 'json' },
      },
    },
    Marks: {
      code: '-',
      nestedIn: { dataObject: 'Lines', column: 'marks' },
      columns: { mark: { code: '*', abstractType: 'string' }, place: { code: '#', abstractType: 'int' } },
    },
    Words: {
      code: '-',
      nestedIn: { dataObject: 'Orders', column: 'words' },
      columns: { word: { code: '*', abstractType: 'string' } },
    },
  },
  dimensions: {
    sku: { dataObject: 'Lines', column: 'sku' },
    mark: { dataObject: 'Marks', column: 'mark' },
    place: { dataObject: 'Marks', column: 'place' },
    word: { dataObject: 'Words', column: 'word' },
  },
  measures: {
    qty: { aggregation: 'sum', columns: [{ dataObject: 'Lines', column: 'qty' }] },
    freight: { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'freight' }] },
  },
}
const data: Tables = {
  Orders: [
    {
      id: 1,
      freight: 5,
      lines: [
        { 's k u': 'b', qty: 2, marks: ['x', 'y'] },
        { 's k u': 'a', qty: 1, marks: ['x'] },
      ],
      words: ['new', 'new'],
    },
    { id: 2, freight: 7, lines: [{ 's k u': 'a', qty: 8, marks: [] }, null], words: [null] },
    { id: 3, freight: 9, lines: [], words: null },
  ],
}

t.test('elements are rows, also a missing one; the row that contains them counts once per group of its elements', async (t) => {
  t.same(ask(by(['sku'], ['qty', 'Lines Count', 'freight']), model, data), ['"a" 9 2 12', '"b" 2 1 5', 'NULL NULL 1 16'])
  t.same(ask(by(['word'], ['freight', 'Words Count']), model, data), ['"new" 5 2', 'NULL 16 1'])
})

t.test('an array within an array, and the positions in it', async (t) => {
  t.same(ask(by(['mark'], ['Marks Count', 'qty', 'freight']), model, data), ['"x" 2 3 5', '"y" 1 2 5', 'NULL 0 8 16'])
  t.same(ask(by(['sku', 'place'], ['Marks Count']), model, data), ['"a" 1 1', '"b" 1 1', '"b" 2 1'])
})

t.test('a filter on elements is no filter through another fact, so strict filters accept it', async (t) => {
  const engine = await openEngine()
  t.teardown(engine.close)
  const query = { ...by([], ['freight']), strict_filters: true, where: [{ field: 'mark', op: '=', value: 'x' }] }
  t.same(ask(query, model, data), ['5'])
  t.equal(await compareCase({ model, data, query }, runOn(engine)), undefined)
})

t.test('tables are created again for a model with other columns, so that a reduced case is independent', async (t) => {
  const engine = await openEngine()
  t.teardown(engine.close)
  const run = runOn(engine)
  t.notOk('refused' in (await run(model, data, by(['sku'], ['qty']))))
  const { lines: _, ...columns } = model.dataObjects['Orders']!.columns
  const fewer = { ...model, dataObjects: { ...model.dataObjects, Orders: { ...model.dataObjects['Orders']!, columns } } }
  await t.rejects(run(fewer, data, by(['sku'], ['qty'])), /lines/)
})

t.test('a value of another type than its column is NULL, and the number that a text writes is that number', async (t) => {
  const connection = await (await DuckDBInstance.create()).connect()
  t.teardown(() => connection.closeSync())
  await connection.run(`CREATE TABLE notes (id BIGINT, doc VARCHAR);
    INSERT INTO notes VALUES (1, '[{"n": "x"}, {"n": {"a": 1}}, {"n": "4"}, {"n": 2}, 7, "y"]'), (2, 'no JSON'), (3, '{}')`)
  const { model: notes, errors } = parseModelSync({
    json: {
      dataObjects: {
        Notes: {
          code: 'notes',
          columns: {
            Id: { code: 'id', abstractType: 'int', primaryKey: true },
            Doc: { code: 'doc', abstractType: 'json', sqlType: 'json' },
          },
        },
        Lines: {
          code: '-',
          nestedIn: { dataObject: 'Notes', column: 'Doc' },
          columns: { Number: { code: 'n', abstractType: 'int' } },
        },
      },
      measures: { Numbers: { aggregation: 'sum', columns: [{ dataObject: 'Lines', column: 'Number' }] } },
    },
  })
  if (!notes) throw new Error(JSON.stringify(errors))
  const { sql } = compileFor({ select: { measures: ['Numbers', 'Lines Count', 'Notes Count'] } }, notes)
  t.same((await connection.runAndReadAll(sql)).getRowsJson(), [['6', '6', '3']])
})

const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
t.test(`150 generated queries over arrays have the answers of the oracle (ORACLE_SEED=${seed})`, async (t) => {
  const engine = await openEngine()
  t.teardown(engine.close)
  const { answered, failures } = await runBatch(runOn(engine), seed, { from: 20_000, count: 150, later: ['nested'] })
  for (const failure of failures) t.fail(failure)
  t.ok(answered > 90, `${answered} answered`)
})
