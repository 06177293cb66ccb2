/**
 * Rows that only a policy removes, and on which a question fails: texts that are no numbers, and numbers whose product is too large. An engine may compute a
 * condition before that of the policy, so that its error would show that there is such a row.
 */
import t from 'tap'
import { restrictedModel } from '../../core/src/model/access.js'
import { compileFor } from '../corpus/corpus.js'
import { loadText } from '../support/compile.js'
import { openEngineNamed } from './oracle-engines.js'
import type { Engine } from './suites.js'

const open = loadText(`
version: 1
dataObjects:
  Regions:
    code: regions
    columns: { Name: { code: name, abstractType: string, primaryKey: true } }
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Region: { code: region, abstractType: string }
      Zip: { code: zip, abstractType: string }
      Size: { code: size, abstractType: int }
      Zip No: { expression: 'cast({Zip} as int)', abstractType: int }
      Area: { expression: '{Size} * {Size}', abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: Regions, columnsFrom: [Region], columnsTo: [Name] }]
dimensions:
  Customer: { dataObject: Customers, column: Id }
  Zip No: { dataObject: Customers, column: Zip No }
measures:
  Zips: { columns: [{ dataObject: Customers, column: Zip No }], aggregation: sum }
  Areas: { columns: [{ dataObject: Customers, column: Area }], aggregation: sum }
  Far: { columns: [{ dataObject: Customers, column: Id }], aggregation: count, filters: [{ field: Customers.Zip No, op: gt, value: 5 }] }
`)
const TABLES = `CREATE TABLE regions (name VARCHAR(20));
INSERT INTO regions VALUES ('North'), ('South');
CREATE TABLE customers (id BIGINT, region VARCHAR(20), zip VARCHAR(30), size BIGINT);
INSERT INTO customers VALUES (1, 'North', '7', 2), (2, 'South', 'none', 9000000000000000000), (3, NULL, '', 9000000000000000000), (4, 'North', '4', 3),
  (5, 'South', '99999999999999999999', 5);`

const bound = restrictedModel(open, {
  rows: [
    {
      label: '',
      dataObject: 'Regions',
      condition: {
        kind: 'leaf',
        column: { kind: 'column', object: 'Regions', column: 'Name' },
        operator: 'in',
        values: ['North'],
        path: '',
      },
    },
  ],
  missing: [],
  withholdsSql: true,
})

const QUESTIONS: readonly (readonly [question: object, rows: readonly (readonly number[])[]])[] = [
  [{ select: { measures: ['Zips', 'Areas', 'Far'] } }, [[11, 13, 1]]],
  [
    { select: { dimensions: ['Customer'] }, where: [{ field: 'Zip No', op: '>', value: 1 }], order_by: [{ field: 'Customer' }] },
    [[1], [4]],
  ],
  [
    { select: { dimensions: ['Zip No'], measures: ['Areas'] }, order_by: [{ field: 'Zip No' }] },
    [
      [4, 9],
      [7, 4],
    ],
  ],
  [{ select: { fields: ['Customers.Id', 'Customers.Area'] }, where: [{ field: 'Customers.Area', op: '>', value: 5 }] }, [[4, 9]]],
  [
    {
      select: { dimensions: ['Customer'], measures: ['Areas'] },
      having: [{ field: 'Areas', op: '>', value: 1 }],
      order_by: [{ field: 'Customer' }],
    },
    [
      [1, 4],
      [4, 9],
    ],
  ],
  [{ select: { measures: ['Areas'] }, where: [{ expression: '{[Zip No]} + 1 > 5' }] }, [[4]]],
]

const opened = (name: string): Promise<Engine | string> => openEngineNamed(name).catch((error: Error) => error.message)

for (const name of ['postgres', 'mysql', 'mariadb', 'sqlite', 'clickhouse'])
  t.test(name, async (t) => {
    const engine = await opened(name)
    if (typeof engine === 'string') return void t.comment(`not run: ${engine}`)
    t.teardown(() => engine.close())
    await engine.load(TABLES)
    for (const [question, rows] of QUESTIONS) {
      const { sql, columns } = compileFor(engine.dialect, question, bound)
      const answer = await engine.ask(sql, columns).catch((error: Error) => ({ rows: error.message }))
      t.same(Array.isArray(answer.rows) ? answer.rows.map((row) => row.map(Number)) : answer.rows, rows, sql)
    }
  })
