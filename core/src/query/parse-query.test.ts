import t from 'tap'
import { GrainlineError } from '../errors.js'
import { OPERATORS } from '../model/operators.js'
import { parseQuery } from './parse-query.js'

const select = { measures: ['Revenue'] }
function refusal(query: unknown): GrainlineError {
  try {
    parseQuery(query)
  } catch (error) {
    if (error instanceof GrainlineError) return error
    throw error
  }
  throw new Error('the query was accepted')
}

t.test('every list and default of a query is filled in', async (t) => {
  t.same(parseQuery({ select: { dimensions: ['Country', 'Ordered:Month', 'a:b'], measures: ['Revenue'] } }), {
    select: {
      dimensions: [
        { kind: 'name', text: 'Country' },
        { kind: 'name', text: 'Ordered:Month' },
        { kind: 'name', text: 'a:b' },
      ],
      measures: ['Revenue'],
      fields: [],
      distinct: false,
    },
    where: [],
    having: [],
    order_by: [],
    use_path_names: [],
    allow_fan_out: false,
    dimensions_exclude: false,
  })
})

t.test('camelCase and snake_case are equivalent', async (t) => {
  const snake = {
    select: { dimensions: [{ coalesce: ['A', 'B'], as: 'X' }], measures: ['M'] },
    where: [
      { field: 'D', op: 'relative', value: { unit: 'day', count: 7, include_current: false } },
      { field: 'D', op: 'exists', subquery: { data_object: 'O', path_name: 'p', filter: [{ field: 'F', op: '=', value: 1 }] } },
    ],
    order_by: [{ field: 1, direction: 'DESC', nulls: 'first' }],
    use_path_names: [{ source: 'A', target: 'B', path_name: 'p' }],
    allow_fan_out: true,
    dimensions_exclude: true,
    strict_filters: true,
    fill_gaps: true,
    limit: 10,
    offset: 0,
    grouping: 'rollup',
    timezone: 'Europe/Berlin',
  }
  const camel = JSON.parse(
    JSON.stringify(snake).replaceAll(/_([a-z])(?=[a-z_]*":)/g, (_, letter: string) => letter.toUpperCase()),
  )
  t.ok('orderBy' in camel && 'usePathNames' in camel)
  t.same(parseQuery(camel), parseQuery(snake))
  t.match(parseQuery(snake).where[0], {
    op: 'relative',
    value: { unit: 'day', count: 7, direction: 'past', include_current: false },
    path: 'where[0]',
  })
})

t.test('every spelling of every operator is understood', async (t) => {
  const values: Readonly<Record<string, unknown>> = {
    in: [1],
    not_in: [1],
    between: [1, 2],
    not_between: [1, 2],
    relative: { unit: 'day', count: 1 },
  }
  const none = ['is_null', 'is_not_null', 'blank', 'not_blank', 'exists', 'nonexists']
  const texts = ['contains', 'not_contains', 'starts_with', 'ends_with', 'like', 'not_like', 'regex', 'not_regex']
  for (const [operator, { spellings }] of Object.entries(OPERATORS)) {
    const value = none.includes(operator) ? {} : { value: values[operator] ?? (texts.includes(operator) ? 'x' : 1) }
    const subquery = operator.endsWith('exists') ? { subquery: { dataObject: 'O' } } : {}
    for (const op of spellings)
      t.match(parseQuery({ select, where: [{ field: 'F', op, ...value, ...subquery }] }).where[0], { op: operator }, op)
  }
})

t.test('groups keep their order and paths', async (t) => {
  const { where } = parseQuery({
    select,
    where: [
      {
        logic: 'or',
        filters: [
          { field: 'A', op: 'set' },
          { filters: [], negated: true },
        ],
      },
    ],
  })
  t.match(where, [
    {
      kind: 'group',
      logic: 'or',
      path: 'where[0]',
      filters: [{ path: 'where[0].filters[0]' }, { negated: true, path: 'where[0].filters[1]' }],
    },
  ])
})

t.test('negative conditions and negated groups may keep the rows without a value', async (t) => {
  const { where } = parseQuery({
    select,
    where: [
      { field: 'A', op: '!=', value: 1, or_missing: true },
      { filters: [], negated: true, orMissing: true },
      { field: 'A', op: '=', value: 1, or_missing: false },
    ],
  })
  t.match(where, [{ op: 'neq', orMissing: true }, { negated: true, orMissing: true }, { op: 'eq' }])
  t.notOk('orMissing' in where[2]!)
})

t.test('a condition that cannot keep the rows without a value says what does', async (t) => {
  const said = (filter: object): string => refusal({ select, where: [filter] }).message
  t.match(said({ field: 'A', op: '=', value: 1, or_missing: true }), /write 'in' with null among its values/)
  t.match(said({ field: 'A', op: 'gt', value: 1, or_missing: true }), /logic 'or'.*'is_null'/)
  t.match(said({ field: 'A', op: 'not_blank', or_missing: true }), /true or false of every row/)
  t.match(said({ field: 'A', op: 'not_in', value: [1, null], or_missing: true }), /remove one of the two/)
  t.match(said({ filters: [], or_missing: true }), /belongs to a negated group/)
})

const leaf = (filter: object) => ({ select, where: [{ field: 'F', ...filter }] })
const faults: readonly (readonly [string, unknown, string, string])[] = [
  ['a query that is no object', 'x', 'INVALID_QUERY', ''],
  ['a query without select', {}, 'INVALID_QUERY', ''],
  ['an empty selection', { select: {} }, 'INVALID_QUERY', 'select'],
  ['an unknown key', { select, limmit: 1 }, 'INVALID_QUERY', 'limmit'],
  ['a key written both ways', { select, order_by: [], orderBy: [] }, 'INVALID_QUERY', 'orderBy'],
  ['an unknown key of a filter', leaf({ op: '=', value: 1, vale: 2 }), 'INVALID_QUERY', 'where[0].vale'],
  ['a list that is none', { select: { measures: 'Revenue' } }, 'INVALID_QUERY', 'select.measures'],
  ['a name that is no text', { select: { measures: [1] } }, 'INVALID_QUERY', 'select.measures[0]'],
  ['a negative limit', { select, limit: -1 }, 'INVALID_QUERY', 'limit'],
  ['a fractional offset', { select, offset: 1.5 }, 'INVALID_QUERY', 'offset'],
  ['a limit that is text', { select, limit: '5' }, 'INVALID_QUERY', 'limit'],
  ['an unknown operator', leaf({ op: 'equalz', value: 1 }), 'INVALID_FILTER_OPERATOR', 'where[0].op'],
  ['a missing operator', leaf({}), 'INVALID_FILTER_OPERATOR', 'where[0].op'],
  [
    'an equality that keeps what is missing',
    leaf({ op: '=', value: 1, or_missing: true }),
    'INVALID_FILTER_VALUE',
    'where[0].or_missing',
  ],
  [
    'a null that is kept and left out',
    leaf({ op: '!=', value: null, or_missing: true }),
    'INVALID_FILTER_VALUE',
    'where[0].or_missing',
  ],
  ['a group that keeps it', { select, where: [{ filters: [], or_missing: true }] }, 'INVALID_QUERY', 'where[0].or_missing'],
  ['a missing value', leaf({ op: '=' }), 'INVALID_FILTER_VALUE', 'where[0]'],
  ['a superfluous value', leaf({ op: 'is_null', value: 1 }), 'INVALID_FILTER_VALUE', 'where[0].value'],
  ['a list for one value', leaf({ op: '=', value: [1] }), 'INVALID_FILTER_VALUE', 'where[0].value'],
  ['one value for a list', leaf({ op: 'in', value: 1 }), 'INVALID_FILTER_VALUE', 'where[0].value'],
  ['a value that is an object', leaf({ op: 'in', value: [1, {}] }), 'INVALID_FILTER_VALUE', 'where[0].value[1]'],
  ['between with one end', leaf({ op: 'between', value: [1] }), 'INVALID_FILTER_VALUE', 'where[0].value'],
  ['null as a bound', leaf({ op: 'between', value: [null, 1] }), 'INVALID_FILTER_VALUE', 'where[0].value[0]'],
  ['null to be less than', leaf({ op: '<', value: null }), 'INVALID_FILTER_VALUE', 'where[0].value'],
  ['a number to be contained', leaf({ op: 'contains', value: 1 }), 'INVALID_FILTER_VALUE', 'where[0].value'],
  ['a negative length', leaf({ op: 'length_eq', value: -1 }), 'INVALID_FILTER_VALUE', 'where[0].value'],
  ['relative without count', leaf({ op: 'relative', value: { unit: 'day' } }), 'INVALID_RELATIVE_FILTER', 'where[0].value'],
  [
    'relative with an unknown unit',
    leaf({ op: 'relative', value: { unit: 'dayz', count: 1 } }),
    'INVALID_RELATIVE_FILTER',
    'where[0].value.unit',
  ],
  [
    'relative with a fraction',
    leaf({ op: 'relative', value: { unit: 'day', count: 0.5 } }),
    'INVALID_RELATIVE_FILTER',
    'where[0].value.count',
  ],
  ['exists without subquery', leaf({ op: 'exists' }), 'INVALID_FILTER_VALUE', 'where[0].subquery'],
  ['a position of zero', { select, order_by: [{ field: 0 }] }, 'INVALID_ORDER_BY_POSITION', 'order_by[0].field'],
  ['an unknown direction', { select, order_by: [{ field: 'A', direction: 'up' }] }, 'INVALID_QUERY', 'order_by[0].direction'],
  [
    'a coalesce without name',
    { select: { dimensions: [{ coalesce: ['A', 'B'] }] } },
    'COALESCE_MISSING_ALIAS',
    'select.dimensions[0]',
  ],
  [
    'a coalesce of one',
    { select: { dimensions: [{ coalesce: ['A'], as: 'X' }] } },
    'COALESCE_TOO_FEW_MEMBERS',
    'select.dimensions[0].coalesce',
  ],
  ['an unknown time zone', { select, timezone: 'Mars/Base' }, 'INVALID_QUERY', 'timezone'],
  ['an unknown grouping', { select, grouping: 'sets' }, 'INVALID_QUERY', 'grouping'],
  ['no sets', { select, grouping: { sets: [] } }, 'INVALID_QUERY', 'grouping'],
  ['a set that is no list', { select, grouping: { sets: ['Region'] } }, 'INVALID_QUERY', 'grouping.sets[0]'],
  ['a set of numbers', { select, grouping: { sets: [[1]] } }, 'INVALID_QUERY', 'grouping.sets[0][0]'],
  ['a top of none', { select, top: { dimension: 'A', by: 'B', n: 0 } }, 'INVALID_QUERY', 'top.n'],
  ['a top without a measure', { select, top: { dimension: 'A', n: 1 } }, 'INVALID_QUERY', 'top.by'],
  ['others without a name', { select, top: { dimension: 'A', by: 'B', n: 1, others: '' } }, 'INVALID_QUERY', 'top.others'],
  ['a top of another key', { select, top: { dimension: 'A', by: 'B', n: 1, other: 'x' } }, 'INVALID_QUERY', 'top.other'],
  ['sets of another name', { select, grouping: { levels: [[]] } }, 'INVALID_QUERY', 'grouping.levels'],
]
for (const [what, query, code, path] of faults) {
  t.test(`${what} is refused as ${code} at '${path}'`, async (t) => t.match(refusal(query), { code, path }))
}

t.test('all errors are reported together, each with its path and the nearest name', async (t) => {
  const { message, details } = refusal({ select, limmit: 1, where: [{ field: '', op: 'equalz', value: 1 }] })
  t.match(details.findings, [
    { code: 'INVALID_QUERY', path: 'limmit', suggestions: ['limit'] },
    { code: 'INVALID_QUERY', path: 'where[0].field' },
    { code: 'INVALID_FILTER_OPERATOR', path: 'where[0].op', suggestions: ['equals'] },
  ])
  t.match(message, /did you mean 'limit'\?/)
})

t.test('filters can be nested 64 levels deep', async (t) => {
  const nest = (depth: number): object => {
    let filter: object = { field: 'A', op: 'set' }
    for (let i = 0; i < depth; i++) filter = { filters: [filter] }
    return { select, where: [filter] }
  }
  t.doesNotThrow(() => parseQuery(nest(64)))
  t.match(refusal(nest(65)), { code: 'INVALID_QUERY', message: /nested deeper/ })
  t.match(refusal(nest(100_000)), { code: 'INVALID_QUERY' })
})

t.test('a query can have so many parts and values, however they are arranged', async (t) => {
  const limits = { maxParts: 500, maxValues: 10_000 }
  const listing = (count: number) => ({
    select,
    where: [{ field: 'A', op: 'in', value: Array.from({ length: count }, (_, i) => i) }],
  })
  const many = { select: { dimensions: Array.from({ length: 100_000 }, () => ({ coalesce: [] })) } }
  const names = { select: { dimensions: Array.from({ length: 501 }, () => 'A') } }
  for (const query of [many, names])
    t.throws(() => parseQuery(query, limits), { code: 'QUERY_TOO_LARGE', details: { hint: /QUERY_MAX_PARTS/ } })
  t.throws(() => parseQuery(listing(10_001), limits), { code: 'QUERY_TOO_LARGE', details: { hint: /QUERY_MAX_VALUES/ } })
  t.doesNotThrow(() => parseQuery(listing(10_000), limits))
  const nested = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  t.throws(() => parseQuery({ select, where: nested }, limits), { code: /QUERY_TOO_LARGE|INVALID_QUERY/ })
})

t.test('subtotals may be of what is shown', async (t) => {
  const read = (grouping: unknown) => parseQuery({ select: { dimensions: ['A'], measures: ['B'] }, grouping })
  t.match(read({ sets: 'rollup', of: 'shown' }), { grouping: { sets: 'rollup', of: 'shown' } })
  t.same(read({ sets: [['A']], of: 'all' }).grouping, { sets: [['A']] })
  for (const grouping of [{ sets: 'all' }, { sets: 'cube', of: 'rows' }, { of: 'shown' }])
    t.throws(() => read(grouping), { code: 'INVALID_QUERY' }, JSON.stringify(grouping))
})
