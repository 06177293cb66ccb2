/** The value of the first or last row in an order (decision 50), on engines that can order inside an aggregate and on others. */
import { defineDialect } from '@grainline/core/dialect'
import { parseModelSync } from '@grainline/core/unstable'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { compileFor, refusalOf } from '../support/compile.js'
import { database } from './database.js'

const column = (name: string, dataObject = 'Readings') => ({ dataObject, column: name })
const picks = (aggregation: string, name: string, ...order: readonly object[]) => ({
  aggregation,
  columns: [column(name)],
  ...(order.length > 0 && { orderBy: order }),
})
const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      Readings: {
        code: 'readings',
        columns: {
          Id: { code: 'id', abstractType: 'int', primaryKey: true },
          Meter: { code: 'meter', abstractType: 'string' },
          On: { code: 'read_on', abstractType: 'date' },
          Level: { code: 'level', abstractType: 'int' },
          Sound: { code: 'sound', abstractType: 'boolean' },
        },
      },
      Notes: {
        code: 'notes',
        columns: {
          Reading: { code: 'reading', abstractType: 'int' },
          Word: { code: 'word', abstractType: 'string' },
          Weight: { code: 'weight', abstractType: 'int' },
        },
        joins: [{ joinType: 'many-to-one', joinTo: 'Readings', columnsFrom: ['Reading'], columnsTo: ['Id'] }],
      },
    },
    dimensions: {
      Meter: { dataObject: 'Readings', column: 'Meter' },
      Day: { dataObject: 'Readings', column: 'On' },
      Word: { dataObject: 'Notes', column: 'Word' },
    },
    measures: {
      Opening: picks('first', 'Level', { column: column('On') }),
      Closing: picks('last', 'Level', { column: column('On') }),
      Latest: picks('first', 'Level', { column: column('On'), order: 'desc' }),
      'By Key': picks('last', 'Level'),
      'Sound at End': picks('last', 'Sound', { column: column('On') }),
      'Closing High': {
        ...picks('last', 'Level', { column: column('On') }),
        filters: [{ field: 'Readings.Level', op: 'gte', value: 5 }],
      },
      'Heaviest Word': {
        aggregation: 'last',
        columns: [column('Word', 'Notes')],
        orderBy: [{ column: column('Weight', 'Notes') }],
      },
      Total: { aggregation: 'sum', columns: [column('Level')] },
    },
    metrics: {
      'Closing to Date': { type: 'cumulative', measure: 'Closing', timeDimension: 'Day' },
      'Closing Before': {
        type: 'period_over_period',
        measure: 'Closing',
        periodOverPeriod: { timeDimension: 'Day', offset: -1 },
      },
      Change: { expression: '{[Closing]} - {[Opening]}' },
    },
  },
})
if (!model) throw new Error(JSON.stringify(errors))

const { rows } = await database(
  'CREATE TABLE readings (id BIGINT, meter VARCHAR, read_on DATE, level BIGINT, sound BOOLEAN)',
  `INSERT INTO readings VALUES
    (1, 'a', DATE '2025-01-10', 3, TRUE), (2, 'a', DATE '2025-01-20', 8, TRUE), (3, 'a', DATE '2025-01-20', 6, FALSE),
    (4, 'a', DATE '2025-02-01', NULL, NULL), (5, 'b', NULL, 9, TRUE), (6, 'b', DATE '2025-02-03', 2, FALSE), (7, NULL, NULL, 4, TRUE)`,
  'CREATE TABLE notes (reading BIGINT, word VARCHAR, weight BIGINT)',
  "INSERT INTO notes VALUES (1, 'x', 1), (1, 'x', 2), (2, 'x', 2), (3, 'y', 2), (6, 'Z', NULL), (99, 'y', 2)",
)
/** An example of an engine that cannot order inside an aggregate. */
const numbering = defineDialect(duckdb, { name: 'numbering', aggregates: { first: 'rewritten' } })

const by = (dimensions: readonly string[], measures: readonly string[], more: object = {}) => ({
  select: { dimensions, measures },
  order_by: dimensions.map((_, i) => ({ field: i + 1 })),
  ...more,
})

const QUESTIONS: readonly { readonly title: string; readonly query: object; readonly wanted: readonly unknown[] }[] = [
  {
    title: 'ties go by the key; a row without a value or a place in the order is passed over',
    query: by(['Meter'], ['Opening', 'Closing', 'Latest', 'By Key', 'Sound at End']),
    wanted: [
      ['a', '3', '6', '8', '6', false],
      ['b', '2', '2', '2', '2', false],
      [null, null, null, null, '4', null],
    ],
  },
  { title: 'the whole, beside a sum', query: by([], ['Opening', 'Closing', 'Total']), wanted: [['3', '2', '32']] },
  {
    title: 'under a filter of its own and one of the question',
    query: by(['Meter'], ['Closing High', 'Closing'], { where: [{ field: 'Day', op: 'lt', value: '2025-02-01' }] }),
    wanted: [['a', '6', '6']],
  },
  {
    title: 'through a bridge, a row is in each of its groups',
    query: by(['Word'], ['Opening', 'Closing', 'Total']),
    wanted: [
      ['Z', '2', '2', '2'],
      ['x', '3', '8', '11'],
      ['y', '6', '6', '6'],
      [null, null, null, '13'],
    ],
  },
  {
    title: 'without a key, ties go to the greatest value of the last',
    query: by([], ['Heaviest Word']),
    wanted: [['y']],
  },
  {
    title: 'running, before, and in a formula',
    query: by(['Day:month'], ['Closing', 'Closing to Date', 'Closing Before', 'Change']),
    wanted: [
      ['2025-01-01', '6', '6', null, '3'],
      ['2025-02-01', '2', '2', '6', '0'],
      [null, null, null, null, null],
    ],
  },
  {
    title: 'with having and an order by it',
    query: {
      select: { dimensions: ['Meter'], measures: ['Closing'] },
      having: [{ field: 'Opening', op: 'gt', value: 1 }],
      order_by: [{ field: 'Closing' }],
      limit: 5,
    },
    wanted: [
      ['b', '2'],
      ['a', '6'],
    ],
  },
]

for (const dialect of [duckdb, numbering])
  for (const { title, query, wanted } of QUESTIONS)
    t.test(`${dialect.name}: ${title}`, async (t) => t.same(await rows(compileFor(query, model, dialect).sql), wanted))

t.test('rows of an object without a key have no total order', (t) => {
  const loose = {
    dataObjects: { T: { code: 't', columns: { A: { code: 'a', abstractType: 'int' } } } },
    measures: { F: { aggregation: 'first', columns: [column('A', 'T')] } },
  }
  const found = parseModelSync({ json: loose }).errors
  t.match(found, [{ code: 'INVALID_AGGREGATION_INPUTS', path: 'measures.F' }])
  const pair = {
    dataObjects: {
      T: {
        code: 't',
        columns: { A: { code: 'a', abstractType: 'int' } },
        joins: [{ joinType: 'many-to-one', joinTo: 'U', columnsFrom: ['A'], columnsTo: ['A'] }],
      },
      U: { code: 'u', columns: { A: { code: 'a', abstractType: 'int', primaryKey: true } } },
    },
    measures: { F: { aggregation: 'first', expression: '{[T].[A]} + {[U].[A]}' } },
  }
  const late = refusalOf({ select: { measures: ['F'] } }, parseModelSync({ json: pair }).model!)
  t.equal(late.code, 'INVALID_AGGREGATION_INPUTS')
  t.equal(late.details.path, 'select.measures[0]')
  t.end()
})
