/** Numbers in bins (decision 52): by a size, and between edges. */
import { parseModelSync } from '@grainline/core/unstable'
import { databricks } from '@grainline/dialect-databricks'
import t from 'tap'
import { compileFor } from '../support/compile.js'
import { database } from './database.js'

const document = (bins: object, column = 'Whole') => ({
  dataObjects: {
    T: {
      code: 't',
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        Whole: { code: 'whole', abstractType: 'int' },
        Exact: { code: 'exact', abstractType: 'float', sqlType: 'decimal(10,2)' },
        Real: { code: 'real', abstractType: 'float' },
        Name: { code: 'name', abstractType: 'string' },
      },
    },
  },
  dimensions: { Bin: { dataObject: 'T', column, bins } },
  measures: { Rows: { aggregation: 'count', anchor: 'T' } },
})
const { rows } = await database(
  'CREATE TABLE t (id BIGINT, whole BIGINT, exact DECIMAL(10,2), real DOUBLE, name VARCHAR)',
  `INSERT INTO t VALUES (1, -11, -0.01, -0.5, 'a'), (2, -10, 0, 0, 'b'), (3, 0, 0.24, 0.74, 'c'), (4, 9, 0.25, 0.75, 'd'),
    (5, 10, 99999999.99, 1e300, 'e'), (6, 9007199254740993, 0.5, 2.25, 'f'), (7, NULL, NULL, NULL, NULL)`,
)
const asked = async (bins: object, column: string, where: readonly object[] = []) => {
  const { model, errors } = parseModelSync({ json: document(bins, column) })
  if (!model) throw new Error(JSON.stringify(errors))
  const compiled = compileFor({ select: { dimensions: ['Bin'], measures: ['Rows'] }, where, order_by: [{ field: 1 }] }, model)
  return { type: compiled.columns[0]!.type.kind, rows: await rows(compiled.sql) }
}

t.test('bins of integers are exact integers, also below zero', async (t) => {
  t.same(await asked({ size: 10 }, 'Whole'), {
    type: 'int',
    rows: [
      ['-20', '1'],
      ['-10', '1'],
      ['0', '2'],
      ['10', '1'],
      ['9007199254740990', '1'],
      [null, '1'],
    ],
  })
  t.match(await asked({ size: 2.5 }, 'Whole', [{ field: 'Bin', op: 'between', value: [7.5, 10] }]), {
    type: 'decimal',
    rows: [
      ['7.5', '1'],
      ['10', '1'],
    ],
  })
})

t.test('bins of decimals are decimals, and bins of floats are floats', async (t) => {
  t.match(await asked({ size: 0.25 }, 'Exact'), {
    type: 'decimal',
    rows: [
      ['-0.25', '1'],
      ['0', '2'],
      ['0.25', '1'],
      ['0.5', '1'],
      ['99999999.75', '1'],
      [null, '1'],
    ],
  })
  t.match(await asked({ size: 0.75 }, 'Real', [{ field: 'Bin', op: 'lt', value: 100 }]), {
    type: 'float',
    rows: [
      [-0.75, '1'],
      [0, '2'],
      [0.75, '1'],
      [2.25, '1'],
    ],
  })
})

t.test('an edge belongs to the bin above it, and NULL is in no bin', async (t) => {
  t.same(await asked({ edges: [-10, 0, 10] }, 'Whole'), {
    type: 'string',
    rows: [
      ['< -10', '1'],
      ['-10 to < 0', '1'],
      ['0 to < 10', '2'],
      ['>= 10', '2'],
      [null, '1'],
    ],
  })
  const named = { edges: [0.25], labels: ['low', 'high'] }
  t.same((await asked(named, 'Exact', [{ field: 'Bin', op: 'neq', value: 'low' }])).rows, [['high', '3']])
})

t.test('subtotals on pages are sorted by the position of a bin, with detail rows before the total', async (t) => {
  const { model } = parseModelSync({ json: document({ edges: [-10, 10] }) })
  const query = { select: { dimensions: ['Bin'], measures: ['Rows'] }, grouping: 'rollup', limit: 9 }
  t.same(await rows(compileFor(query, model!).sql), [
    ['< -10', '1', false],
    ['-10 to < 10', '3', false],
    ['>= 10', '2', false],
    [null, '1', false],
    [null, '7', true],
  ])
})

t.test(
  'the SQL for Spark sorts by the selected column: its optimizer loses a sort by the same column of the relation',
  async (t) => {
    const { model } = parseModelSync({ json: document({ edges: [-10, 10] }) })
    const query = { select: { dimensions: ['Bin'], measures: ['Rows'] }, grouping: 'rollup', limit: 9 }
    t.match(compileFor(query, model!, databricks).sql, /ORDER BY .*CASE WHEN `Bin` = '< -10' THEN 1/)
  },
)

t.test('invalid bins are refused when the model loads', (t) => {
  const refusal = (bins: object, column?: string) => parseModelSync({ json: document(bins, column) }).errors
  const at = (path: string) => [{ code: 'INVALID_SETTING', path: `dimensions.Bin.bins${path}` }]
  t.match(refusal({ size: 10 }, 'Name'), at(''))
  t.match(refusal({}), at(''))
  t.match(refusal({ size: 1, edges: [1] }), at(''))
  t.match(refusal({ size: 1, labels: ['a'] }), at('.labels'))
  t.match(refusal({ edges: [1, 1] }), at('.edges[1]'))
  t.match(refusal({ edges: [1, 2], labels: ['a', 'b'] }), at('.labels'))
  t.match(refusal({ size: 0 }), [{ code: 'SCHEMA_VALIDATION', path: 'dimensions.Bin.bins.size' }])
  t.end()
})
