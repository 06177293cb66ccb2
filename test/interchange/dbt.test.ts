/** Projects of dbt as models: one model for both specifications, the numbers of SQL written by hand, and no text that breaks the importer. */
import { importerConformance } from '@grainline/core/testing'
import t from 'tap'
import { parse, stringify } from 'yaml'
import { dbt } from '../../plugins/importer-dbt/src/index.js'
import { sqlReader } from '../../plugins/importer-dbt/src/sql-expression.js'
import { readsBroken } from './broken.js'
import { readBy, textOf } from './foreign-texts.js'
import { type NumberCase, sameNumbers, serviceWith } from './numbers-by-hand.js'

const legacy = textOf('dbt/legacy.yml')

const imported = readBy(dbt)

importerConformance(t, { importer: dbt, model: legacy, invalid: 'semantic_models:\n  - name: orders\n    model: orders\n' })

t.test('both specifications give one model', async (t) => {
  t.same((await imported(textOf('dbt/new.yml'))).document, (await imported(legacy)).document)
})

/** A query, and the SQL that a person writes for it. */
const CASES: readonly NumberCase[] = [
  {
    dimensions: ['customer__region'],
    measures: ['revenue', 'orders', 'returns'],
    sql: 'SELECT region, sum(amount), count(*), count(*) FILTER (WHERE returned) FROM orders LEFT JOIN customers USING (customer_id) GROUP BY 1',
  },
  { measures: ['median_amount'], sql: 'SELECT median(amount) FROM orders' },
  {
    measures: ['north_revenue'],
    sql: "SELECT sum(amount) FROM orders JOIN customers USING (customer_id) WHERE region = 'north' AND NOT returned",
  },
  { measures: ['average_order'], sql: 'SELECT sum(amount) / count(*) FROM orders' },
  { measures: ['large_share'], sql: 'SELECT sum(amount) FILTER (WHERE amount >= 100) / sum(amount) FROM orders' },
  { measures: ['last_amount'], sql: 'SELECT sum(amount) FROM orders WHERE ordered_at = (SELECT max(ordered_at) FROM orders)' },
  {
    dimensions: ['order_id__size'],
    measures: ['orders'],
    sql: "SELECT CASE WHEN amount >= 100 THEN 'large' ELSE 'small' END, count(*) FROM orders GROUP BY 1",
  },
  {
    dimensions: ['order_id__ordered_at:month'],
    measures: ['growth'],
    sql: "WITH m AS (SELECT date_trunc('month', ordered_at)::DATE AS month, sum(amount) AS r FROM orders GROUP BY 1) SELECT a.month, a.r - b.r FROM m AS a LEFT JOIN m AS b ON b.month = a.month - INTERVAL 1 MONTH",
  },
  {
    dimensions: ['order_id__ordered_at:month'],
    measures: ['revenue_to_date'],
    sql: "WITH m AS (SELECT date_trunc('month', ordered_at)::DATE AS month, sum(amount) AS r FROM orders GROUP BY 1) SELECT month, sum(r) OVER (ORDER BY month) FROM m",
  },
]

const SHOP = `
  CREATE TABLE customers (customer_id INTEGER, region VARCHAR);
  INSERT INTO customers VALUES (1, 'north'), (2, 'south'), (3, NULL);
  CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, ordered_at DATE, amount DECIMAL(18, 2), returned BOOLEAN);
  INSERT INTO orders VALUES (1, 1, '2026-01-03', 120, false), (2, 1, '2026-01-20', 30.5, true), (3, 2, '2026-02-01', 99.99, false),
    (4, 9, '2026-02-11', 250, NULL), (5, 3, '2026-04-01', 10, false), (6, 2, '2026-04-01', NULL, true)`

sameNumbers('a project', { importer: dbt, text: legacy, rows: SHOP, cases: CASES })

/** Functions that SQL writes in words of its own. */
const SPELLED: Readonly<Record<string, string>> = {
  year: 'extract(year from ordered_at)',
  part: "date_part('month', ordered_at)",
  cut: 'trim(region_note)',
  piece: 'substring(region_note from 2 for 2)',
  at: "position('o' in region_note)",
  high: 'ceiling(amount)',
}

const spelled = Object.entries(SPELLED).map(([name, expr]) => `{ name: ${name}, type: categorical, expr: "${expr}" }`)

sameNumbers('functions of SQL', {
  importer: dbt,
  text: `semantic_models:\n  - name: orders\n    model: ref('orders')\n    entities: [{ name: order_id, type: primary }]
    dimensions: [${spelled.join(', ')}]\n    measures: [{ name: orders, agg: count, expr: 1, create_metric: true }]\n`,
  rows: `CREATE TABLE orders (order_id INTEGER, ordered_at TIMESTAMP, amount DOUBLE, region_note VARCHAR);
    INSERT INTO orders VALUES (1, '2026-01-03 10:00:00', 1.5, ' north '), (2, '2025-12-31 23:59:59', -1.5, 'south'), (3, NULL, NULL, NULL)`,
  cases: Object.entries(SPELLED).map(([name, expr]) => ({
    says: expr,
    dimensions: [`order_id__${name}`],
    measures: ['orders'],
    sql: `SELECT ${expr}, count(*) FROM orders GROUP BY 1`,
  })),
})

t.test('a function with another number of values is refused, and the rest is read', async (t) => {
  const { document, losses } = await imported(legacy.replace('expr: amount }', `expr: "ltrim(amount, 'x')" }`))
  t.ok(Object.hasOwn(document['measures'] as object, 'median_amount'))
  t.ok(losses.some(({ kind, message }) => kind === 'refused' && message.includes("the function 'ltrim' with 2 values")))
})

t.test('a key is that of one row in each partition of a table', async (t) => {
  const model = (name: string, type: string, partition: string) =>
    `  - { name: ${name}, model: ref('${name}'), primary_entity: ${name}, entities: [{ name: user, type: ${type}, expr: user_id }],
      dimensions: [{ name: ds, type: time, ${partition} type_params: { time_granularity: day } }] }\n`
  const text = ['daily', 'visits', 'orders'].map((name) =>
    model(name, name === 'daily' ? 'primary' : 'foreign', name === 'orders' ? '' : 'is_partition: true,'),
  )
  const { document, losses } = await imported(`semantic_models:\n${text.join('')}`)
  t.match(document['dataObjects'], {
    daily: { columns: { user_id: { primaryKey: true }, ds: { primaryKey: true } } },
    visits: { joins: [{ columnsFrom: ['user_id', 'ds'], columnsTo: ['user_id', 'ds'] }] },
    orders: { joins: [{ columnsFrom: ['user_id'] }] },
  })
  t.equal(losses.filter(({ message }) => message.includes("'orders' is joined to every partition of 'daily'")).length, 1)
  t.notOk(losses.some(({ message }) => message.includes('is_partition')))
})

t.test('what the model does not say is in the list, with its place', async (t) => {
  const { document, losses } = await imported(
    textOf('dbt/new.yml').replace('agg: sum_boolean', 'agg: percentile, percentile: 0.5, percentile_type: discrete'),
  )
  t.notOk(Object.hasOwn(document['measures'] as object, 'returns'))
  const [loss] = losses.filter(({ kind }) => kind === 'refused')
  t.match(loss, { kind: 'refused', message: /'returns' is left out.*discrete/, place: { line: 17 } })
})

t.test('a cumulative measure is not the filtered metric of its name', async (t) => {
  const text = legacy.replace(
    'label: Revenue, type_params: { measure: revenue } }',
    `label: Revenue, filter: "{{ Dimension('order_id__returned') }}", type_params: { measure: revenue } }`,
  )
  const { document } = await imported(text)
  t.match(document['measures'], { revenue: { filters: [{}] }, 'revenue_to_date: base': { aggregation: 'sum' } })
  t.match(document['metrics'], { revenue_to_date: { measure: 'revenue_to_date: base' } })
  t.notOk(Object.hasOwn((document['measures'] as Record<string, object>)['revenue_to_date: base'] ?? {}, 'filters'))
})

t.test('a division in a measure or a dimension is in the list', async (t) => {
  const { losses } = await imported(
    legacy
      .replace('agg: median, expr: amount', 'agg: median, expr: amount / 2')
      .replace('amount >= 100 then', 'amount / 2 >= 100 then'),
  )
  const said = losses.flatMap(({ message }) => /^'\/' in '(\w+)'/.exec(message)?.[1] ?? [])
  t.same(said.sort(), ['large_share', 'median_amount', 'size'].sort())
})

t.test('a filter is read, and never copied', async (t) => {
  const filtered = (filter: string) => imported(legacy.replace(/filter: .*returned.*$/m, `filter: ${JSON.stringify(filter)}`))
  for (const filter of [
    "{{ Metric('orders', ['customer']) }} > 1",
    '1 = 1) FROM t; DROP TABLE t; --',
    '{% if x %} true {% endif %}',
    'pg_sleep(1) = 1',
    '(SELECT true)',
    'a.b = 1',
  ]) {
    const { document, losses } = await filtered(filter)
    t.notOk(Object.hasOwn(document['measures'] as object, 'north_revenue'), filter)
    t.ok(
      losses.some(({ kind, message }) => kind === 'refused' && message.includes("'north_revenue'")),
      filter,
    )
  }
})

readsBroken({
  what: 'projects',
  importer: dbt,
  texts: [legacy, textOf('dbt/new.yml')],
  service: (t) => serviceWith(t, dbt),
})

const SAVED = `
saved_queries:
  - name: regions
    label: Regions
    description: Where we sell
    query_params: { metrics: [revenue], group_by: ["Dimension('customer__region')"] }
    exports: [{ name: x }]
  - name: months
    query_params:
      metrics: [revenue, average_order]
      group_by: ["TimeDimension('metric_time', 'month')", customer__region]
      where:
        - "{{ TimeDimension('metric_time', 'day') }} >= '2026-01-10'"
        - "{{ Dimension('customer__region') }} = 'north' OR {{ Dimension('order_id__size') }} IN ('small') AND {{ Dimension('order_id__ordered_at').grain('month') }} < '2026-04-01'"
      order_by: ["TimeDimension('metric_time', 'month').descending(True)", "-revenue"]
      limit: 2
  - name: first
    query_params:
      metrics: [orders]
      group_by: [metric_time__month, "Entity('order_id')"]
      where: "NOT {{ Dimension('order_id__returned') }}"
      order_by: [metric_time__month, "Metric('orders').descending(False)", order_id]
      limit: 1
`

t.test('saved queries are examples of the model, with the numbers of SQL written by hand', async (t) => {
  const text = `${legacy}${SAVED}`
  const { document, losses } = await imported(text)
  t.same(document['examples'], [
    {
      name: 'regions',
      description: 'Regions: Where we sell',
      query: { select: { dimensions: ['customer__region'], measures: ['revenue'] } },
    },
    {
      name: 'months',
      query: {
        select: { dimensions: ['order_id__ordered_at:month', 'customer__region'], measures: ['revenue', 'average_order'] },
        where: [
          { field: 'order_id__ordered_at', op: '>=', value: '2026-01-10' },
          {
            expression:
              "(({[customer__region]} = 'north') OR (({[order_id__size]} IN ('small')) AND ({[order_id__ordered_at:month]} < '2026-04-01')))",
          },
        ],
        order_by: [
          { field: 'order_id__ordered_at:month', direction: 'desc' },
          { field: 'revenue', direction: 'desc' },
        ],
        limit: 2,
      },
    },
    {
      name: 'first',
      query: {
        select: { dimensions: ['order_id__ordered_at:month', 'order_id'], measures: ['orders'] },
        where: [{ expression: '(NOT {[order_id__returned]})' }],
        order_by: [{ field: 'order_id__ordered_at:month' }, { field: 'orders' }, { field: 'order_id' }],
        limit: 1,
      },
    },
  ])
  t.same(
    losses.filter(({ message }) => message.includes('saved query')),
    [],
  )
  t.match(
    losses.find(({ message }) => message.startsWith("'exports'")),
    { kind: 'inert' },
  )
  const cases = [
    'SELECT region, sum(amount) FROM orders LEFT JOIN customers USING (customer_id) GROUP BY 1',
    `SELECT date_trunc('month', ordered_at)::DATE AS m, region, sum(amount) AS r, sum(amount) / count(*) FROM orders LEFT JOIN customers USING (customer_id)
      WHERE ordered_at >= '2026-01-10' AND (region = 'north' OR CASE WHEN amount >= 100 THEN 'large' ELSE 'small' END = 'small' AND date_trunc('month', ordered_at) < '2026-04-01')
      GROUP BY 1, 2 ORDER BY m DESC, r DESC LIMIT 2`,
    "SELECT date_trunc('month', ordered_at)::DATE AS m, order_id, count(*) FROM orders WHERE NOT returned GROUP BY 1, 2 ORDER BY m, order_id LIMIT 1",
  ]
  const examples = document['examples'] as readonly { readonly name: string; readonly query: Example }[]
  await sameNumbers(
    'saved queries',
    {
      importer: dbt,
      text,
      rows: SHOP,
      cases: examples.map(({ name, query: { select, where, ...more } }, at) => ({
        ...{ says: name, ...select, more, isOrdered: more.limit !== undefined },
        ...(where && { where }),
        ...(cases[at] !== undefined && { sql: cases[at] }),
      })),
    },
    t,
  )
  const { warnings } = await (await serviceWith(t, dbt)).validate({ asker: undefined, model_yaml: text, format: 'dbt' })
  t.same(
    warnings.filter(({ code }) => code !== 'IMPORT_LOSS' && /example/i.test(code)),
    [],
  )
})

interface Example {
  readonly select: Pick<NumberCase, 'dimensions' | 'measures'>
  readonly where?: readonly unknown[]
  readonly limit?: number
}

t.test('a saved query that the model does not say is refused, each with its reason', async (t) => {
  const times = legacy
    .replace(
      '    measures:\n      - { name: revenue',
      '    measures:\n      - { name: sent, agg: sum, expr: 1, agg_time_dimension: sent_at }\n      - { name: revenue',
    )
    .replace(
      '      - { name: returned, type: categorical }',
      '      - { name: returned, type: categorical }\n      - { name: sent_at, type: time, type_params: { time_granularity: month } }',
    )
  for (const [asked, message] of [
    ['metrics: [nothing]', /'nothing' is no measure/],
    ['metrics: [revenue, sent], group_by: [metric_time]', /its metrics have several times/],
    ['metrics: [revenue], group_by: [surprise]', /surprise is no dimension/],
    ["metrics: [sent], group_by: [\"TimeDimension('metric_time', 'day')\"]", /'day' is no granularity of 'order_id__sent_at'/],
    ["metrics: [revenue], where: \"{{ Metric('orders', group_by=['customer']) }} > 1\"", /filters by the value of a metric/],
    ['metrics: [revenue], where: "{{ Dimension(\'customer__region\') }} = {% x %}"', /a template that is no field/],
    ['metrics: [revenue], where: "f({{ Dimension(\'customer__region\') }}) = 1"', /the function 'f' is not known/],
    ['metrics: [revenue], order_by: [orders]', /orders is no dimension/],
    ['metrics: [revenue], order_by: [customer__region]', /which is not selected/],
    ['metrics: [revenue], limit: many', /no number/],
  ] as const) {
    const { document, losses } = await imported(`${times}\nsaved_queries:\n  - { name: odd, query_params: { ${asked} } }\n`)
    t.notOk(Object.hasOwn(document, 'examples'), asked)
    const lines = losses.filter(({ message: said }) => said.includes('saved query'))
    t.match(lines, [{ kind: 'refused', message, place: { line: Number } }], `${asked}: ${lines[0]?.message}`)
  }
})

t.test('a column of which only notes are written refuses nothing', async (t) => {
  const { losses } = await imported(
    legacy.replace('      - { name: amount,', '      - { name: noted, description: Seen }\n      - { name: amount,'),
  )
  const lines = losses.filter(({ message }) => message.includes("'noted'"))
  t.match(lines, [{ kind: 'inert', message: /'description' of 'noted'/ }])
  t.equal(lines.length, 1)
})

t.test('a key that the importer does not know is in the list, wherever it is', async (t) => {
  for (const file of ['legacy.yml', 'new.yml'])
    for (const key of ['surprise', 'meta', 'config', 'tests']) {
      const project: unknown = parse(textOf(`dbt/${file}`))
      const count = withKeyEverywhere(project, key)
      const { losses } = await imported(stringify(project, { aliasDuplicateObjects: false }))
      const lines = losses.filter(({ message }) => message.startsWith(`'${key}`))
      const numbers = lines.map(({ message }) => Number(/^'\w+?(\d+)?'/.exec(message)?.[1] ?? -1))
      t.ok(count > 20, `${file}: ${count} mappings`)
      t.equal(lines.length, count, `${file}: ${key}`)
      if (key === 'surprise') t.same([...new Set(numbers)].sort(byNumber), [...Array(count).keys()], `${file}: each of them`)
      t.ok(lines.every(({ place }) => place !== undefined))
    }
})

const byNumber = (a: number, b: number) => a - b

/** Adds the key to every mapping, with a number where its name is free. Returns how many. */
function withKeyEverywhere(value: unknown, key: string, from = 0): number {
  if (typeof value !== 'object' || value === null) return from
  const count = Object.values(value).reduce((sum: number, each) => withKeyEverywhere(each, key, sum), from)
  if (Array.isArray(value)) return count
  Object.assign(value, { [key === 'surprise' ? `${key}${count}` : key]: false })
  return count + 1
}

t.test('labels and descriptions are in the model, or in the list', async (t) => {
  const { document, losses } = await imported(
    legacy
      .replace('name: region, type', 'name: region, label: Region, description: Of the customer, type')
      .replace('agg: median, expr: amount', 'agg: median, expr: amount, label: Middle')
      .replace('name: order_id, type: primary', 'name: order_id, type: primary, label: Order')
      .replace('models:', 'exposures: [{ name: board }]\nmodels:'),
  )
  t.match(document['dimensions'], {
    customer__region: { synonyms: ['Region'], description: 'Of the customer' },
    order_id: { synonyms: ['Order'] },
  })
  t.match(
    losses.filter(({ kind }) => kind === 'inert').map(({ message }) => message),
    [/'exposures' of the project/, /'label' of 'median_amount'/],
  )
})

/** The list of a project, without the lines that it has if all is enabled. */
const switched = async (text: string) => {
  const { document, losses } = await imported(text)
  const kinds = ['dataObjects', 'dimensions', 'measures', 'metrics'].map((kind) => Object.keys(document[kind] as object))
  return { names: new Set(kinds.flat()), lines: losses.filter(({ message }) => /disabled|enabled/.test(message)), losses }
}

t.test('a disabled item is not in the model, and has one line', async (t) => {
  const isOff = '{ enabled: false }'
  const average = (text: string) => text.replace('label: Average', `label: Average, config: ${isOff}`)
  const block = (text: string) => text.replace('    label: Average', `    label: Average\n    config: ${isOff}`)
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['metric, legacy', block(legacy), /The metric 'average_order' is left out/],
    ['metric, new', average(textOf('dbt/new.yml')), /The metric 'average_order' is left out/],
    ['no of YAML 1.1', block(legacy).replace('enabled: false', 'enabled: no'), /The metric 'average_order' is left out/],
    ['constant template', block(legacy).replace('enabled: false', "enabled: '{{ False }}'"), /'average_order' is left out/],
  ]
  for (const [what, text, message] of cases) {
    const { names, lines } = await switched(text)
    t.notOk(names.has('average_order'), what)
    t.ok(names.has('growth'), what)
    t.match(lines, [{ kind: 'rewritten', message, place: { line: Number } }], what)
    t.equal(lines.length, 1, what)
  }
})

t.test('a disabled semantic model is left out with its dimensions, in every form', async (t) => {
  const isNew = (written: string) =>
    textOf('dbt/new.yml').replace(/(name: customers\n) {4}semantic_model: true/, `$1    ${written}`)
  const cases = [
    legacy.replace("model: ref('customers')", "model: ref('customers')\n    config: { enabled: false }"),
    legacy.replace('- name: customers\n    columns', '- name: customers\n    config: { enabled: false }\n    columns'),
    isNew('semantic_model: { enabled: false }'),
    isNew('semantic_model: { config: { enabled: false } }'),
    isNew('semantic_model: true\n    config: { enabled: false }'),
  ]
  for (const text of cases) {
    t.notOk([legacy, textOf('dbt/new.yml')].includes(text))
    const { names, lines, losses } = await switched(text)
    t.notOk(names.has('customers'))
    t.notOk(names.has('customer__region'))
    t.ok(names.has('revenue'))
    t.match(lines, [{ kind: 'rewritten', message: /'customers' is left out: dbt has .*disabled/ }])
    t.equal(lines.length, 1)
    // Its filter is on a dimension that is not there.
    t.match(
      losses.filter(({ kind }) => kind === 'refused'),
      [{ message: /'north_revenue' is left out/ }],
    )
  }
  const all = await dbt.read({ text: `name: shop\nsemantic-models: { +enabled: false }\n---\n${legacy}` })
  t.match(all, { faults: [{ message: /no semantic model that is enabled/ }] })
})

t.test('what is enabled gives the same model as without the word', async (t) => {
  const text = textOf('dbt/new.yml').replaceAll('semantic_model: true', 'semantic_model: { enabled: true }')
  t.same(await imported(text), await imported(textOf('dbt/new.yml')))
})

t.test('dbt_project.yml switches a section off, and an item on again', async (t) => {
  t.ok(dbt.files?.('shop/dbt_project.yml'))
  const settings = (metrics: string) =>
    `name: shop\nprofile: shop\nmodels: { shop: { +materialized: view } }\nmetrics: ${metrics}\n---\n`
  for (const off of ['{ +enabled: false }', '{ shop: { +enabled: false } }', '{ +enabled: true, shop: { enabled: false } }']) {
    const { names, lines } = await switched(
      settings(off) + legacy.replace('label: Revenue,', 'label: Revenue, config: { enabled: true },'),
    )
    t.ok(names.has('revenue'), off)
    for (const name of ['average_order', 'growth', 'order_count', 'returns']) t.notOk(names.has(name), `${off}: ${name}`)
    t.equal(lines.filter(({ message }) => /^The metric '\w+' is left out: dbt has it disabled/.test(message)).length, 9, off)
  }
  const other = await switched(settings('{ elsewhere: { +enabled: false } }') + legacy)
  t.same(other.lines, [])
  const folder = await switched(settings('{ shop: { finance: { +enabled: false } } }') + legacy)
  t.ok(folder.names.has('growth'))
  t.match(folder.lines, [{ kind: 'refused', message: /'metrics: shop: finance'/, place: { line: 4 } }])
})

t.test('each metric that is disabled is left out of both specifications alike, and with what reads it', async (t) => {
  const without = async (text: string, name: string) => {
    const project = parse(text) as { metrics?: object[]; models: { metrics?: object[] }[] }
    const metrics = [...(project.metrics ?? []), ...project.models.flatMap((model) => model.metrics ?? [])]
    const found = metrics.filter((metric) => 'name' in metric && metric.name === name)
    t.equal(found.length, 1)
    for (const metric of found) Object.assign(metric, { config: { enabled: false } })
    return imported(stringify(project))
  }
  const { measures, metrics } = (await imported(legacy)).document as Record<string, object>
  const all = [...Object.keys(measures ?? {}), ...Object.keys(metrics ?? {})].filter((name) => !name.includes(':'))
  t.equal(all.length, 10)
  for (const name of all) {
    const read = await without(legacy, name)
    const { document } = read
    t.notOk(Object.hasOwn(document['measures'] as object, name) || Object.hasOwn(document['metrics'] as object, name), name)
    // A measure is a thing of its own in the one specification, and a metric in the other.
    if (name !== 'revenue') t.same((await without(textOf('dbt/new.yml'), name)).document, document, name)
    else {
      t.match(document['metrics'], { revenue_to_date: { measure: 'revenue_to_date: base' } })
      const refused = read.losses.filter(({ kind }) => kind === 'refused').map(({ message }) => message)
      t.match(
        refused,
        ['average_order', 'large_share', 'growth'].map((reader) => new RegExp(`'${reader}'.*'revenue'.*disabled`)),
      )
    }
  }
})

t.test('a measure without a metric of its own is written once', async (t) => {
  const { document } = await imported(legacy.replace(/ {2}- \{ name: revenue, type: simple.*\n/, ''))
  t.match(document['measures'], { revenue: { aggregation: 'sum' } })
  t.match(document['metrics'], { revenue_to_date: { measure: 'revenue' }, growth: {} })
})

t.test('an expression that only dbt can read leaves the item in the model, with a line', async (t) => {
  const { names, lines } = await switched(
    legacy.replace('    label: Average', `    label: Average\n    config: { enabled: "{{ target.name == 'prod' }}" }`),
  )
  t.ok(names.has('average_order'))
  t.match(lines, [{ kind: 'rewritten', message: /'average_order' is in the model/, hint: /semantic_manifest/ }])
})

t.test('a model with a time says that there is no metric_time', async (t) => {
  const { losses } = await imported(legacy)
  const said = losses.filter(({ message }) => message.includes('metric_time'))
  t.match(said, [{ kind: 'rewritten', message: /'orders'/, hint: /'order_id__ordered_at'/, place: { line: 14 } }])
})

t.test('a manifest gives the model of its project', async (t) => {
  const { models, ...project } = parse(legacy)
  const text = `${stringify({ models })}---\n${JSON.stringify(manifestOf(project), null, 2)}\n`
  const { document, losses } = await imported(text)
  t.match(document['dataObjects'], { orders: { schema: 'shop' } })
  t.same(JSON.parse(JSON.stringify(document).replaceAll('"schema":"shop",', '')), (await imported(legacy)).document)
  t.same(
    losses.filter(({ kind }) => kind === 'refused'),
    [],
  )
})

/** What dbt writes for a project: tables in place of references, mappings in place of short forms, and null for what is not written. */
function manifestOf(value: unknown, key = ''): unknown {
  if (key === 'filter') return { where_filters: [{ where_sql_template: value }] }
  if (key === 'offset_window' && typeof value === 'string') {
    const [count, granularity] = value.split(' ')
    return { count: Number(count), granularity }
  }
  if (['measure', 'numerator', 'denominator', 'metrics item'].includes(key) && typeof value === 'string')
    return { name: value, filter: null, alias: null, join_to_timespine: false, fill_nulls_with: null }
  if (Array.isArray(value)) return value.map((item) => manifestOf(item, `${key} item`))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries([
    ...Object.entries(value).map(([inner, each]) =>
      inner === 'model'
        ? ['node_relation', { alias: /'(\w+)'/.exec(String(each))?.[1], schema_name: 'shop', database: null, relation_name: 'r' }]
        : [inner, manifestOf(each, inner)],
    ),
    ['metadata', null],
  ])
}

t.test('the grammar of SQL is loaded once, and not for each expression of a project', (t) => {
  t.equal(sqlReader(), sqlReader())
  t.end()
})
