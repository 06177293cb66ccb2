import t from 'tap'
import { type DataType, decimal, FLOAT, INT, STRING, TIMESTAMP_TZ } from '../model/data-type.js'
import type { Value } from '../result/value-at.js'
import { type Answer, compareAnswer } from './compare-answer.js'
import { type Expected, sameValue } from './compare-value.js'
import { junitReport } from './junit.js'
import { sarifReport } from './sarif.js'

const cases: readonly (readonly [Expected, Value, DataType, boolean])[] = [
  [5, 5n, INT, true],
  ['9007199254740993', 9007199254740993n, INT, true],
  [9007199254740992, 9007199254740993n, INT, false],
  [0.1, '0.10', decimal(18, 2), true],
  ['0.100000000000000001', '0.10', decimal(18, 2), false],
  [1e3, '1000.00', decimal(18, 2), true],
  [-0.5, '-0.50', decimal(18, 2), true],
  [0.3, 0.1 + 0.2, FLOAT, true],
  [1, 1 + 1e-8, FLOAT, false],
  [0, 1e-300, FLOAT, false],
  ['NaN', Number.NaN, FLOAT, true],
  [null, null, INT, true],
  [null, 0n, INT, false],
  [0, null, INT, false],
  ['1', '1', STRING, true],
  [1, '1', STRING, false],
  ['2013-01-01T05:00:00Z', '2013-01-01T00:00:00-05:00', TIMESTAMP_TZ, true],
  ['2013-01-01T05:00:00.5Z', '2013-01-01T00:00:00-05:00', TIMESTAMP_TZ, false],
]
t.test('values are compared by their type', async (t) => {
  for (const [expected, found, type, same] of cases) {
    t.equal(sameValue(expected, found, type), same, `${expected} and ${found} as ${type.kind}`)
  }
})

const answer: Answer = {
  columns: [
    { name: 'City', type: STRING },
    { name: 'Count', type: INT },
  ],
  rows: [
    ['a', 1n],
    ['b', 2n],
  ],
  truncated: false,
}

t.test('rows are compared in any order, unless the query orders them', async (t) => {
  const swapped = {
    rows: [
      ['b', 2],
      ['a', 1],
    ],
  }
  t.same(compareAnswer(swapped, answer, false), [])
  t.equal(compareAnswer(swapped, answer, true).length, 4)
})

t.test('a row that is expected twice does not match one row', async (t) => {
  t.same(
    compareAnswer(
      {
        rows: [
          ['a', 1],
          ['a', 1],
        ],
      },
      answer,
      false,
    ),
    ["missing row: ['a', 1]", "unexpected row: ['b', 2]"],
  )
})

t.test('rows by column compare the columns that they name, and an unknown column is reported', async (t) => {
  t.same(compareAnswer({ rows: [{ City: 'b' }, { City: 'a', Count: 1 }] }, answer, false), [])
  t.match(compareAnswer({ rows: [{ Cty: 'b' }] }, answer, false), [/no column 'Cty'.*'City'/])
})

t.test('columns, count and bounds each have a line', async (t) => {
  const expect = {
    columns: ['City'],
    row_count: 3,
    bounds: [
      { field: 'Count', min: 2 },
      { field: 'Count', max: '2' },
    ],
  }
  t.same(compareAnswer(expect, answer, false), [
    'columns: expected City; found City, Count',
    'row count: expected 3, found 2',
    'row 1, Count: expected between 2 and anything, found 1',
  ])
})

t.test('a truncated answer passes no test', async (t) => {
  t.match(compareAnswer({ row_count: 2 }, { ...answer, truncated: true }, false), [/default limit/])
})

t.test('a report can contain any name', async (t) => {
  const outcome = { name: ']]>\u0000\ud800<&', index: 0, status: 'failed', differences: ['a\u0001'], milliseconds: 1 } as const
  const xml = junitReport('s', [outcome])
  t.match(xml, 'name="]]&gt;\uFFFD\uFFFD&lt;&amp;"')
  t.match(xml, '<failure message="a\uFFFD">')
  const log = sarifReport([outcome], { file: 'a b/#1.yaml', version: '1', lineOf: () => undefined })
  t.match(log, { runs: [{ results: [{ locations: [{ physicalLocation: { artifactLocation: { uri: 'a%20b/%231.yaml' } } }] }] }] })
})
