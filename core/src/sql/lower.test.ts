/** What an engine may not do, key by key: a SELECT, and what replaces it. */
import t from 'tap'
import { columns, item, plain, statement, T, table, textOf } from '../../../test/support/statements.js'
import { BOOLEAN, DATE, type DataType, decimal, FLOAT, INT, STRING } from '../model/data-type.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { binary, call, integer, isNull, literal, text } from '../resolve/expressions.js'
import { ascending } from '../resolve/resolved-query.js'
import type { Dialect } from './dialect.js'
import { lower } from './lower.js'
import type { Semantics } from './semantics.js'
import { aggregate, type Query, type Select, type SqlExpr, type SqlLeaf, select, type WindowCall } from './statement.js'

const { n, d, f, s, day } = T
const FROM = table('t')
const of = (expression: SqlExpr, type: DataType, more: Partial<Select> = {}): Select =>
  select([item('x', expression, type)], FROM, more)
const grouped = (expression: SqlExpr, type: DataType, more: Partial<Select> = {}): Select =>
  select([...columns(s), item('x', expression, type)], FROM, { groupBy: [s], ...more })
const byNumber = (expression: SqlExpr): Select => select([...columns(n), item('x', expression, STRING)], FROM, { groupBy: [n] })
const over = (call: Partial<WindowCall>): WindowCall => ({
  kind: 'window',
  function: 'row_number',
  args: [],
  partitionBy: [],
  orderBy: [],
  type: INT,
  ...call,
})
const until: SqlExpr = { kind: 'column', table: 'u', name: 'until', type: day.type }
const next = binary<SqlLeaf>('+', n, integer(1))
const descending = { ...ascending<SqlExpr>(f, FLOAT), descending: true }
const list = { ...aggregate('listagg', [s], STRING), delimiter: ',' }

const walk = (steps: readonly [unit: string, count: number][]): SqlExpr =>
  steps.reduce<SqlExpr>((at, [unit, count]) => call('date_add', text(unit), integer(count), at), day)

/** By flag: a SELECT, and its form with the flag. Without the flag the form differs. The plan and later stages read the others. */
const ROWS: Readonly<
  Record<
    Exclude<
      keyof Semantics,
      | 'groupingSets'
      | 'groupedExpressions'
      | 'emptySets'
      | 'repeatedKeys'
      | 'comparedUuids'
      | 'keptTables'
      | 'rangeFrames'
      | 'hashJoins'
      | 'passedKeys'
      | 'earlySubqueries'
      | 'correlated'
    >,
    readonly [Select, string]
  >
> = {
  exactText: [of(binary('=', s, text('a')), STRING), "SELECT EXACT(t.s) = 'a' AS x FROM t"],
  nullsOrder: [
    of(n, INT, { orderBy: [ascending(n, INT)] }),
    'SELECT t.n AS x FROM t ORDER BY t.n IS NULL NULLS FIRST, t.n NULLS LAST',
  ],
  hiddenOrder: [
    grouped(aggregate('sum', [n], INT), INT, {
      having: [binary('>', aggregate('count', [], INT), integer(1))],
      orderBy: [ascending(aggregate('max', [n], INT), INT)],
    }),
    'SELECT grouped.s, grouped.x FROM ( SELECT t.s AS s, CAST(SUM(t.n) AS BIGINT) AS x, MAX(t.n) AS order_1 FROM t GROUP BY 1 HAVING COUNT(*) > 1 ) AS grouped ORDER BY grouped.order_1 NULLS LAST',
  ],
  shownOrder: [of(n, INT, { orderBy: [ascending(next, INT)] }), 'SELECT t.n AS x FROM t ORDER BY x + 1 NULLS LAST'],
  lagDefault: [
    of(over({ function: 'lag', args: [n, integer(1), integer(0)] }), INT),
    'SELECT CASE WHEN LAG(1, 1) OVER () IS NULL THEN 0 ELSE LAG(t.n, 1) OVER () END AS x FROM t',
  ],
  mixedOrders: [
    byNumber({ ...aggregate('first', [s], STRING), orderBy: [ascending(s, STRING), { ...ascending(n, INT), descending: true }] }),
    'SELECT staged.key_1 AS n, MAX(CASE WHEN staged.window_1 = 1 THEN staged.value_1 END) AS x FROM ( SELECT staged.key_1, staged.value_1, ROW_NUMBER() OVER (PARTITION BY staged.key_1 ORDER BY CASE WHEN staged.value_1 IS NULL THEN 1 ELSE 0 END NULLS LAST, staged.value_1 NULLS LAST, staged.key_1 DESC NULLS LAST) AS window_1 FROM ( SELECT t.n AS key_1, t.s AS value_1 FROM t ) AS staged ) AS staged GROUP BY 1',
  ],
  signedRanks: [of(over({}), INT), 'SELECT CAST(ROW_NUMBER() OVER () AS BIGINT) AS x FROM t'],
  distinctStatistics: [
    grouped({ ...aggregate('median', [n], FLOAT), distinct: true }, FLOAT),
    'SELECT staged.key_1 AS s, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY CAST(CASE WHEN staged.window_1 = 1 THEN staged.value_1 END AS DOUBLE PRECISION)) AS x FROM ( SELECT staged.key_1, staged.value_1, ROW_NUMBER() OVER (PARTITION BY staged.key_1, staged.value_1 ORDER BY staged.value_1 NULLS LAST) AS window_1 FROM ( SELECT t.s AS key_1, t.n AS value_1 FROM t ) AS staged ) AS staged GROUP BY 1',
  ],
  distinctLists: [
    byNumber({ ...list, distinct: true }),
    'SELECT staged.key_1 AS n, LIST(CASE WHEN staged.window_1 = 1 THEN staged.value_1 END ORDER BY CASE WHEN staged.window_1 = 1 THEN staged.value_1 END NULLS LAST) AS x FROM ( SELECT staged.key_1, staged.value_1, ROW_NUMBER() OVER (PARTITION BY staged.key_1, staged.value_1 ORDER BY staged.value_1 NULLS LAST) AS window_1 FROM ( SELECT t.n AS key_1, t.s AS value_1 FROM t ) AS staged ) AS staged GROUP BY 1',
  ],
  orderedLists: [
    byNumber(list),
    'SELECT staged.key_1 AS n, LIST(staged.value_1, staged.window_1) AS x FROM ( SELECT staged.key_1, staged.value_1, ROW_NUMBER() OVER (PARTITION BY staged.key_1 ORDER BY staged.value_1 NULLS LAST) AS window_1 FROM ( SELECT t.n AS key_1, t.s AS value_1 FROM t ) AS staged ) AS staged GROUP BY 1',
  ],
  mixedLists: [
    of({ kind: 'in', operand: n, list: [literal(1.5, decimal(2, 1)), literal(2.5, decimal(2, 1))] }, INT),
    'SELECT CAST(t.n AS DECIMAL(38, 1)) IN (1.5, 2.5) AS x FROM t',
  ],
  mixedChoices: [of(call('coalesce', f, n), FLOAT), 'SELECT COALESCE(t.f, CAST(t.n AS DOUBLE PRECISION)) AS x FROM t'],
  typedDoubles: [of(binary('/', f, integer(2)), FLOAT), 'SELECT CAST(t.f AS DOUBLE PRECISION) / 2 AS x FROM t'],
  lagNull: [of(over({ function: 'lag', args: [n, integer(1)] }), INT), 'SELECT LAG(CAST(t.n AS BIGINT), 1) OVER () AS x FROM t'],
  signedCounts: [of(aggregate('count', [n], INT), INT), 'SELECT CAST(COUNT(t.n) AS BIGINT) AS x FROM t'],
  keysInWindows: [
    select([item('x', over({ partitionBy: [next] }), INT)], FROM, { groupBy: [next] }),
    'SELECT ROW_NUMBER() OVER (PARTITION BY MAX(t.n + 1)) AS x FROM t GROUP BY t.n + 1',
  ],
  keysInHaving: [
    select([item('x', next, INT)], FROM, { groupBy: [next], having: [binary('>', next, integer(2))] }),
    'SELECT t.n + 1 AS x FROM t GROUP BY 1 HAVING MAX(t.n + 1) > 2',
  ],
  doublePartitions: [
    of(over({ partitionBy: [f] }), INT),
    'SELECT ROW_NUMBER() OVER (PARTITION BY CAST(t.f + 0 AS VARCHAR)) AS x FROM t',
  ],
  wideSums: [of(aggregate('sum', [n], decimal(38, 0)), decimal(38, 0)), 'SELECT SUM(CAST(t.n AS DECIMAL(38, 0))) AS x FROM t'],
  wideDecimals: [of(binary('*', d, d), decimal(20, 4)), 'SELECT CAST(t.d AS DECIMAL(20, 2)) * t.d AS x FROM t'],
  longScales: [
    of(binary('*', binary('*', d, d), binary('*', d, d)), decimal(38, 8)),
    'SELECT CAST(t.d * t.d AS DECIMAL(18, 4)) * CAST(t.d * t.d AS DECIMAL(18, 4)) AS x FROM t',
  ],
  overflowGuard: [of(binary('*', n, n), INT), 'SELECT CAST(CAST(t.n AS DECIMAL(38, 0)) * t.n AS BIGINT) AS x FROM t'],
  specialCasts: [
    of({ kind: 'cast', operand: f, type: decimal(10, 2) }, decimal(10, 2)),
    'SELECT CAST(FINITE(t.f) AS DECIMAL(10, 2)) AS x FROM t',
  ],
  specialStatistics: [
    of(aggregate('stddev_samp', [f], FLOAT), FLOAT),
    'SELECT CASE WHEN COUNT(t.f) = COUNT(FINITE(t.f)) THEN STDDEV_SAMP(FINITE(t.f)) WHEN COUNT(t.f) > 1 THEN SUM(t.f - t.f) END AS x FROM t',
  ],
  specialModes: [
    grouped(aggregate('mode', [f], FLOAT), FLOAT),
    'SELECT staged.key_1 AS s, MAX(CASE WHEN staged.window_2 = 1 THEN staged.value_1 END) AS x FROM ( SELECT staged.key_1, staged.value_1, staged.window_1, ROW_NUMBER() OVER (PARTITION BY staged.key_1 ORDER BY staged.window_1 DESC NULLS LAST, staged.value_1 NULLS LAST) AS window_2 FROM ( SELECT staged.key_1, staged.value_1, COUNT(staged.value_1) OVER (PARTITION BY staged.key_1, staged.value_1) AS window_1 FROM ( SELECT t.s AS key_1, t.f AS value_1 FROM t ) AS staged ) AS staged ) AS staged GROUP BY 1',
  ],
  specialPercentiles: [
    grouped(aggregate('median', [f], FLOAT), FLOAT),
    "SELECT staged.key_1 AS s, SUM(CASE WHEN ABS(staged.window_1 - 1 - CAST('0.5' AS DOUBLE PRECISION) * (staged.window_2 - 1)) < 1 THEN CAST(staged.value_1 AS DOUBLE PRECISION) * (1 - ABS(staged.window_1 - 1 - CAST('0.5' AS DOUBLE PRECISION) * (staged.window_2 - 1))) END) AS x FROM ( SELECT staged.key_1, staged.value_1, ROW_NUMBER() OVER (PARTITION BY staged.key_1 ORDER BY CAST(staged.value_1 AS DOUBLE PRECISION) NULLS LAST) AS window_1, COUNT(CAST(staged.value_1 AS DOUBLE PRECISION)) OVER (PARTITION BY staged.key_1) AS window_2 FROM ( SELECT t.s AS key_1, t.f AS value_1 FROM t ) AS staged ) AS staged GROUP BY 1",
  ],
  comparedNaN: [of(binary('>', f, integer(1)), FLOAT), 'SELECT NOT (t.f <= 1) AS x FROM t'],
  orderedNaN: [
    of(f, FLOAT, { orderBy: [descending] }),
    'SELECT t.f AS x FROM t ORDER BY IS_NAN(t.f) DESC NULLS LAST, t.f DESC NULLS LAST',
  ],
  distinctOrder: [
    of(f, FLOAT, { distinct: true, orderBy: [descending] }),
    'SELECT DISTINCT t.f AS x FROM t ORDER BY t.f DESC NULLS LAST',
  ],
  emptyRollup: [
    select(columns(s), FROM, { groupBy: [s], sets: [[0], []] }),
    'SELECT t.s AS s FROM t GROUP BY GROUPING SETS ((t.s), ())',
  ],
  columnNames: [
    select([item('n', { kind: 'column', table: 'u', name: 'n', type: INT }, INT)], { kind: 'cte', name: 'u', alias: 'u' }),
    'SELECT u.n AS n FROM u',
  ],
  leastBooleans: [of(aggregate('max', [binary('=', n, integer(1))], BOOLEAN), BOOLEAN), 'SELECT BOOL_OR(t.n = 1) AS x FROM t'],
  nullKeys: [
    select([...columns(s), item('x', aggregate('grouping', [s], INT), INT)], FROM, { groupBy: [s], sets: [[0], []] }),
    'SELECT NULLABLE(t.s) AS s, GROUPING(NULLABLE(t.s)) AS x FROM t GROUP BY ROLLUP (NULLABLE(t.s))',
  ],
  plainZero: [select(columns(f), FROM, { groupBy: [f] }), 'SELECT t.f + 0 AS f FROM t GROUP BY 1'],
  exactDecimals: [
    of(aggregate('sum', [d], decimal(38, 2)), decimal(38, 2)),
    'SELECT CAST(SUM(t.d) AS DECIMAL(38, 2)) AS x FROM t',
  ],
  laterDates: [
    of(
      walk([
        ['day', 3],
        ['day', -3],
      ]),
      day.type,
    ),
    "SELECT CAST(CAST(CAST(CAST(t.day + (-146097 * DIV(CAST(FLOOR(EXTRACT(YEAR FROM t.day)) AS BIGINT), 9999)) * INTERVAL '1' DAY AS DATE) + INTERVAL '3' DAY AS DATE) - INTERVAL '3' DAY AS DATE) + (146097 * DIV(CAST(FLOOR(EXTRACT(YEAR FROM t.day)) AS BIGINT), 9999)) * INTERVAL '1' DAY AS DATE) AS x FROM t",
  ],
  openEnds: [
    select(columns(n), {
      kind: 'join',
      type: 'left',
      left: FROM,
      right: table('u'),
      on: binary<SqlLeaf>('or', isNull<SqlLeaf>(until), binary<SqlLeaf>('<', day, until)),
    }),
    "SELECT t.n AS n FROM t LEFT JOIN u ON t.day < COALESCE(u.until, CAST('infinity' AS DATE))",
  ],
  computedKeys: [
    select(columns(n), {
      kind: 'join',
      type: 'left',
      left: FROM,
      right: table('u'),
      on: binary<SqlLeaf>('=', { kind: 'cast', operand: day, type: STRING }, until),
    }),
    'SELECT t.n AS n FROM t LEFT JOIN u ON CAST(t.day AS VARCHAR) = NULLABLE(u.until)',
  ],
  sharedKeys: [
    select(
      columns(n),
      {
        kind: 'join',
        type: 'cross',
        left: { kind: 'cte', name: 't', alias: 't' },
        right: {
          kind: 'subquery',
          query: select(columns(n), { kind: 'cte', name: 't', alias: 't' }, { distinct: true }),
          alias: 'u',
        },
        on: undefined,
      },
      { groupBy: [n], where: [binary('>', n, integer(2))] },
    ),
    'SELECT COALESCE(t.n) AS n FROM t CROSS JOIN ( SELECT DISTINCT COALESCE(t.n) AS n FROM t ) AS u WHERE t.n > 2 GROUP BY 1',
  ],
  rangeJoins: [
    select(columns(n), {
      kind: 'join',
      type: 'left',
      left: FROM,
      right: table('u'),
      on: binary<SqlLeaf>('<', day, until),
    }),
    'SELECT t.n AS n FROM t LEFT JOIN u ON CASE WHEN t.day = t.day THEN 1 ELSE 1 END = CASE WHEN u.until = u.until THEN 1 ELSE 1 END AND t.day < u.until',
  ],
  exactAverages: [of(aggregate('avg', [n], FLOAT), FLOAT), 'SELECT AVG(CAST(t.n AS DOUBLE PRECISION)) AS x FROM t'],
}

/** Flags that mean something only beside others. */
const BESIDE: Partial<Record<keyof Semantics, Partial<Semantics>>> = { distinctOrder: { orderedNaN: false } }

const said = (query: Query, semantics: Partial<Semantics>): string => {
  const aggregates: Dialect['aggregates'] = { ...plain.aggregates, first: ({ args }) => `FIRST(${args[0]})` }
  const dialect: Dialect = { ...plain, aggregates, semantics: { ...plain.semantics, exactAverages: true, ...semantics } }
  return textOf(lower(statement(query), builtInFunctions, dialect), dialect)
}

for (const [flag, [query, expected]] of Object.entries(ROWS))
  t.test(`without ${flag}, another form is used`, (t) => {
    const beside = BESIDE[flag as keyof Semantics] ?? {}
    t.equal(said(query, { ...beside, [flag]: false }), expected)
    t.not(said(query, beside), expected, 'and only there')
    t.end()
  })

t.test(
  'a join by doubles matches 0 with -0 on engines that compare the bytes of keys, also for keys that are not grouped',
  (t) => {
    const other: SqlExpr = { kind: 'column', table: 'u', name: 'f', type: FLOAT }
    const on = binary<SqlLeaf>('=', f, other)
    const from = { kind: 'join', type: 'left', left: FROM, right: table('u'), on } as const
    t.equal(said(select(columns(n), from), { plainZero: false }), 'SELECT t.n AS n FROM t LEFT JOIN u ON t.f + 0 = u.f + 0')
    t.equal(
      said(select(columns(n), from, { where: [on] }), {}),
      'SELECT t.n AS n FROM t LEFT JOIN u ON t.f = u.f WHERE t.f = u.f',
    )
    t.equal(
      said(select(columns(f), from, { groupBy: [f] }), { plainZero: false }),
      'SELECT t.f + 0 AS f FROM t LEFT JOIN u ON t.f + 0 = u.f + 0 GROUP BY 1',
    )
    t.end()
  },
)

t.test('neither can a SELECT with GROUPING SETS be ordered by what is not selected', async (t) => {
  const given = select(columns(s), FROM, { groupBy: [s, n], sets: [[0, 1], [0]], orderBy: [ascending(n, INT)] })
  t.equal(
    said(given, { hiddenOrder: false }),
    'SELECT grouped.s FROM ( SELECT t.s AS s, t.n AS order_1 FROM t GROUP BY GROUPING SETS ((t.s, t.n), (t.s)) ) AS grouped ORDER BY grouped.order_1 NULLS LAST',
  )
})

t.test('a frame of an interval takes one key, so that its NULLs stay where they are', async (t) => {
  const framed = over({ function: 'sum', args: [n], orderBy: [ascending(day, DATE)], frame: { unit: 'day', back: 6 } })
  t.equal(
    said(of(framed, INT), { nullsOrder: false }),
    "SELECT SUM(t.n) OVER (ORDER BY t.day NULLS LAST RANGE BETWEEN INTERVAL '6' DAY PRECEDING AND CURRENT ROW) AS x FROM t",
  )
})

t.test('united texts of tables have one collation; those of grouped rows have it already', async (t) => {
  const ofTable = select(columns(s), FROM)
  const ofGroups = select(columns(s), FROM, { groupBy: [s] })
  const isNone: SqlExpr = { kind: 'cast', operand: literal(null, STRING), type: STRING }
  const none = of(isNone, STRING)
  const ofStatement = select(columns(s), { kind: 'cte', name: 't', alias: 't' })
  const united = (part: Select) => said({ kind: 'union-all', parts: [part, none] }, { exactText: false })
  t.match(united(ofTable), /^SELECT EXACT\(t\.s\) AS s FROM t UNION ALL SELECT CAST\(NULL AS VARCHAR\)/)
  t.equal(united(ofGroups).match(/EXACT/g)?.length, 1, 'the key of a group, once')
  t.match(united(ofStatement), /^SELECT (t\.)?s( AS s)? FROM t UNION ALL/)
})
