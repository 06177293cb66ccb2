/** NaN, the infinities, −0 and numbers in exponent notation: the expected results on every engine that supports them. */
import { parseModelSync } from '@grainline/core/unstable'
import type { Answer, Cell } from '../support/answers.js'

/** Written as strings, because NaN has no literal. `y` is the same number in every row of the group `y`. */
export const specialTables = (): string => `
  CREATE TABLE marks (id BIGINT, f DOUBLE PRECISION);
  INSERT INTO marks VALUES (1, CAST('NaN' AS DOUBLE PRECISION)), (2, CAST('NaN' AS DOUBLE PRECISION)), (3, 0), (4, CAST('-0' AS DOUBLE PRECISION)), (5, NULL), (6, 2.5);
  CREATE TABLE readings (id BIGINT, mark BIGINT, k VARCHAR(10), x DOUBLE PRECISION, y DOUBLE PRECISION);
  INSERT INTO readings VALUES
    (1, 1, 'nan', CAST('NaN' AS DOUBLE PRECISION), 1), (2, 2, 'nan', 1, 2), (3, 2, 'nan', CAST('NaN' AS DOUBLE PRECISION), 3),
    (4, 3, 'inf', CAST('Infinity' AS DOUBLE PRECISION), 1), (5, 4, 'inf', 1, 2), (6, 1, 'inf', CAST('Infinity' AS DOUBLE PRECISION), 4),
    (7, 6, 'zero', CAST('-0' AS DOUBLE PRECISION), 1), (8, 6, 'zero', 0, 2), (9, 5, 'zero', 2.5, 3),
    (10, 4, 'both', CAST('-Infinity' AS DOUBLE PRECISION), 1), (11, NULL, 'both', CAST('Infinity' AS DOUBLE PRECISION), 2), (12, 6, 'none', NULL, 1);
  CREATE TABLE notes (id BIGINT, mark BIGINT);
  INSERT INTO notes VALUES (1, 1), (2, 3), (3, 4), (4, 6);
  CREATE TABLE specks (id BIGINT, z DOUBLE PRECISION, t VARCHAR(30));
  INSERT INTO specks VALUES (1, -5.55e-17, '-5.55e-17'), (2, 6e-7, '6E-07'), (3, 5e-5, '5e-05'), (4, -9e-5, '-0.9e-4'),
    (5, 123.45, '123.45'), (6, NULL, NULL)`

const measure = (aggregation: string, more: object = {}) => ({
  aggregation,
  columns: [{ dataObject: 'Readings', column: 'X' }],
  ...more,
})
const key = { Id: { code: 'id', abstractType: 'int', primaryKey: true } }
const mark = {
  columns: { ...key, Mark: { code: 'mark', abstractType: 'int' } },
  joins: [{ joinTo: 'Marks', joinType: 'many-to-one', columnsFrom: ['Mark'], columnsTo: ['Id'] }],
}

export function specialModel() {
  const { model, errors } = parseModelSync({
    json: {
      dataObjects: {
        Marks: { code: 'marks', columns: { ...key, F: { code: 'f', abstractType: 'float' } } },
        Readings: {
          ...mark,
          code: 'readings',
          columns: {
            ...mark.columns,
            K: { code: 'k', abstractType: 'string' },
            X: { code: 'x', abstractType: 'float' },
            Y: { code: 'y', abstractType: 'float' },
          },
        },
        Notes: { ...mark, code: 'notes' },
        Specks: {
          code: 'specks',
          columns: { ...key, Z: { code: 'z', abstractType: 'float' }, T: { code: 't', abstractType: 'string' } },
        },
      },
      dimensions: {
        K: { dataObject: 'Readings', column: 'K' },
        X: { dataObject: 'Readings', column: 'X' },
        F: { dataObject: 'Marks', column: 'F' },
        Speck: { dataObject: 'Specks', column: 'Id' },
        Width: { dataObject: 'Readings', column: 'X', bins: { size: 2 } },
        Class: { dataObject: 'Readings', column: 'X', bins: { edges: [0, 100] } },
      },
      measures: {
        Sum: measure('sum'),
        Mean: measure('avg'),
        Least: measure('min'),
        Most: measure('max'),
        Middle: measure('median'),
        High: measure('percentile', { percentile: 0.9 }),
        Kinds: measure('count_distinct'),
        Mode: measure('mode'),
        Spread: measure('stddev_samp'),
        Variance: measure('var_pop'),
        Correlation: {
          aggregation: 'corr',
          columns: [
            { dataObject: 'Readings', column: 'X' },
            { dataObject: 'Readings', column: 'Y' },
          ],
        },
        Slope: {
          aggregation: 'regr_slope',
          columns: [
            { dataObject: 'Readings', column: 'X' },
            { dataObject: 'Readings', column: 'Y' },
          ],
        },
        'Slope along X': {
          aggregation: 'regr_slope',
          columns: [
            { dataObject: 'Readings', column: 'Y' },
            { dataObject: 'Readings', column: 'X' },
          ],
        },
        Exact: measure('sum', { dataType: 'decimal(18, 2)' }),
        Whole: measure('max', { dataType: 'bigint' }),
        Tenths: { aggregation: 'max', columns: [{ dataObject: 'Specks', column: 'Z' }], dataType: 'decimal(18, 1)' },
        'Four Digits': { aggregation: 'max', columns: [{ dataObject: 'Specks', column: 'Z' }], dataType: 'decimal(18, 4)' },
        'Tenths of Text': { aggregation: 'max', expression: 'CAST({[Specks].[T]} AS decimal(18, 1))' },
        'Four Digits of Text': { aggregation: 'max', expression: 'CAST({[Specks].[T]} AS decimal(18, 4))' },
        Above: { aggregation: 'count_if', expression: '{[Readings].[X]} > 1' },
      },
      metrics: {
        Ratio: { expression: '{[Sum]} / {[Least]}' },
        Share: { expression: '{[Sum]} / {[Readings Count]}', dataType: 'decimal(18, 2)' },
        Place: { type: 'window', windowFunction: 'rank', measure: 'Most', orderDirection: 'desc' },
      },
    },
  })
  if (!model) throw new Error(JSON.stringify(errors))
  return model
}

export interface SpecialCase {
  readonly name: string
  readonly query: object
  readonly rows: readonly (readonly Cell[])[]
}

const [NAN, INF] = [Number.NaN, Number.POSITIVE_INFINITY]
const byK = (...measures: string[]) => ({ select: { dimensions: ['K'], measures }, order_by: [{ field: 'K' }] })
const where = (op: string, value: unknown) => ({
  select: { fields: ['Readings.Id'] },
  where: [{ field: 'Readings.X', op, value }],
  order_by: [{ field: 'Readings.Id' }],
})
const ids = (...all: number[]) => all.map((id) => [String(id)])

export const specialCases = (): readonly SpecialCase[] => [
  {
    name: 'groups: NaN equals itself, -0 is 0; order: NaN exceeds Infinity',
    query: { select: { dimensions: ['X'], measures: ['Readings Count'] }, order_by: [{ field: 'X' }] },
    rows: [
      [-INF, '1'],
      [0, '2'],
      [1, '2'],
      [2.5, '1'],
      [INF, '3'],
      [NAN, '2'],
      [null, '1'],
    ],
  },
  {
    name: 'order, descending',
    query: {
      select: { fields: ['Readings.X', 'Readings.Id'] },
      where: [{ field: 'K', op: 'in', value: ['nan', 'inf', 'none'] }],
      order_by: [{ field: 'Readings.X', direction: 'desc' }, { field: 'Readings.Id' }],
    },
    rows: [
      [NAN, '1'],
      [NAN, '3'],
      [INF, '4'],
      [INF, '6'],
      [1, '2'],
      [1, '5'],
      [null, '12'],
    ],
  },
  {
    name: 'numbers near 0 are rounded like others',
    query: { select: { dimensions: ['Speck'], measures: ['Tenths', 'Four Digits'] }, order_by: [{ field: 'Speck' }] },
    rows: [
      ['1', '0', '0'],
      ['2', '0', '0'],
      ['3', '0', '0.0001'],
      ['4', '0', '-0.0001'],
      ['5', '123.5', '123.45'],
      ['6', null, null],
    ],
  },
  {
    name: 'so is text with an exponent',
    query: {
      select: { dimensions: ['Speck'], measures: ['Tenths of Text', 'Four Digits of Text'] },
      order_by: [{ field: 'Speck' }],
    },
    rows: [
      ['1', '0', '0'],
      ['2', '0', '0'],
      ['3', '0', '0.0001'],
      ['4', '0', '-0.0001'],
      ['5', '123.5', '123.45'],
      ['6', null, null],
    ],
  },
  {
    name: 'facts meet at NaN, at 0 and at NULL',
    query: { select: { dimensions: ['F'], measures: ['Readings Count', 'Notes Count'] }, order_by: [{ field: 'F' }] },
    rows: [
      [0, '3', '2'],
      [2.5, '3', '1'],
      [NAN, '4', '1'],
      [null, '2', '0'],
    ],
  },
  ...[1, 4].map((id) => ({
    name: `a slope along the ${id === 1 ? 'NaN' : 'Infinity'} of one row is NaN, for that is no number that does not vary`,
    query: { select: { dimensions: [], measures: ['Slope along X'] }, where: [{ field: 'Readings.Id', op: '=', value: id }] },
    rows: [[NAN]],
  })),
  {
    name: 'a slope along one number is not defined',
    query: { select: { dimensions: [], measures: ['Slope along X'] }, where: [{ field: 'Readings.Id', op: '=', value: 2 }] },
    rows: [[null]],
  },
  {
    name: 'sum, avg, min and max',
    query: byK('Sum', 'Mean', 'Least', 'Most'),
    rows: [
      ['both', NAN, NAN, -INF, INF],
      ['inf', INF, INF, 1, INF],
      ['nan', NAN, NAN, 1, NAN],
      ['none', null, null, null, null],
      ['zero', 2.5, 2.5 / 3, 0, 2.5],
    ],
  },
  {
    name: 'what is counted',
    query: byK('Kinds', 'Above'),
    rows: [
      ['both', '2', '1'],
      ['inf', '2', '2'],
      ['nan', '2', '2'],
      ['none', '0', '0'],
      ['zero', '2', '1'],
    ],
  },
  {
    name: 'median and percentile',
    query: byK('Middle', 'High'),
    rows: [
      ['both', NAN, NAN],
      ['inf', INF, INF],
      ['nan', NAN, NAN],
      ['none', null, null],
      ['zero', 0, 2],
    ],
  },
  {
    name: 'mode',
    query: byK('Mode'),
    rows: [
      ['both', -INF],
      ['inf', INF],
      ['nan', NAN],
      ['none', null],
      ['zero', 0],
    ],
  },
  {
    name: 'deviations',
    query: byK('Spread', 'Variance'),
    rows: [
      ['both', NAN, NAN],
      ['inf', NAN, NAN],
      ['nan', NAN, NAN],
      ['none', null, null],
      ['zero', 1.4433756729740645, 1.3888888888888888],
    ],
  },
  {
    name: 'two by two',
    query: byK('Correlation', 'Slope'),
    rows: [
      ['both', NAN, NAN],
      ['inf', NAN, NAN],
      ['nan', NAN, NAN],
      ['none', null, null],
      ['zero', 0.8660254037844387, 1.25],
    ],
  },
  {
    name: 'what is no finite number has no decimal and no integer',
    query: byK('Exact', 'Whole', 'Share'),
    rows: [
      ['both', null, null, null],
      ['inf', null, null, null],
      ['nan', null, null, null],
      ['none', null, null, null],
      ['zero', '2.5', '3', '0.83'],
    ],
  },
  {
    name: 'metrics',
    query: byK('Ratio', 'Place'),
    rows: [
      ['both', NAN, '2'],
      ['inf', INF, '2'],
      ['nan', NAN, '1'],
      ['none', null, '5'],
      ['zero', null, '4'],
    ],
  },
  { name: 'x > 1', query: where('>', 1), rows: ids(1, 3, 4, 6, 9, 11) },
  { name: 'x >= 1', query: where('>=', 1), rows: ids(1, 2, 3, 4, 5, 6, 9, 11) },
  { name: 'x < 1', query: where('<', 1), rows: ids(7, 8, 10) },
  { name: 'x <= 1', query: where('<=', 1), rows: ids(2, 5, 7, 8, 10) },
  { name: 'x = 0', query: where('=', 0), rows: ids(7, 8) },
  { name: 'x <> 1', query: where('!=', 1), rows: ids(1, 3, 4, 6, 7, 8, 9, 10, 11) },
  { name: 'x not in (0, 1)', query: where('not_in', [0, 1]), rows: ids(1, 3, 4, 6, 9, 10, 11) },
  { name: 'x between 0 and 1', query: where('between', [0, 1]), rows: ids(2, 5, 7, 8) },
  { name: 'x not between 0 and 1', query: where('not_between', [0, 1]), rows: ids(1, 3, 4, 6, 9, 10, 11) },
  {
    name: 'having',
    query: {
      select: { dimensions: ['K'], measures: ['Most'] },
      having: [{ field: 'Most', op: '>', value: 5 }],
      order_by: [{ field: 'K' }],
    },
    rows: [
      ['both', INF],
      ['inf', INF],
      ['nan', NAN],
    ],
  },
  {
    name: 'bins by width',
    query: { select: { dimensions: ['Width'], measures: ['Readings Count'] }, order_by: [{ field: 'Width' }] },
    rows: [
      [-INF, '1'],
      [0, '4'],
      [2, '1'],
      [INF, '3'],
      [NAN, '2'],
      [null, '1'],
    ],
  },
  {
    name: 'bins by edges',
    query: { select: { dimensions: ['Class'], measures: ['Readings Count'] }, order_by: [{ field: 'Class' }] },
    rows: [
      ['< 0', '1'],
      ['0 to < 100', '5'],
      ['>= 100', '5'],
      [null, '1'],
    ],
  },
  {
    name: 'a total beside groups',
    query: {
      select: { dimensions: ['X'], measures: ['Most', 'Readings Count'] },
      where: [{ field: 'K', op: '=', value: 'nan' }],
      grouping: 'rollup',
      order_by: [{ field: 'X' }],
    },
    rows: [
      [1, 1, '1', false],
      [NAN, NAN, '2', false],
      [null, NAN, '3', true],
    ],
  },
]

/** Canonical form of a row: doubles have nine digits, NaN equals itself and -0 is 0. */
export const shownRows = ({ rows }: Pick<Answer, 'rows'>): string[] => rows.map((row) => JSON.stringify(row.map(shown)))

const shown = (cell: Cell): Cell =>
  typeof cell === 'number' ? (Number.isFinite(cell) ? Number((cell + 0).toPrecision(9)) : String(cell)) : cell
