// biome-ignore-all lint/suspicious/noTemplateCurlyInString: LookML names fields so
/** LookML: the numbers of SQL written by hand, a list of what is lost, and no text that breaks the importer. */
import { apart } from '@grainline/core'
import { importerConformance } from '@grainline/core/testing'
import t from 'tap'
import { importer } from '../../plugins/importer-lookml/src/importer.js'
import { lookml } from '../../plugins/importer-lookml/src/index.js'
import { readsBroken } from './broken.js'
import { at, changedIn, readBy, refusals, SHOP_ROWS, textOf } from './foreign-texts.js'
import { type NumberCase, sameNumbers, serviceWith } from './numbers-by-hand.js'

const shop = textOf('lookml/shop.lkml')

const imported = readBy(lookml)

const changed = changedIn(shop)

importerConformance(t, { importer: lookml, model: shop, invalid: 'view: orders {\n  dimension: id\n' })

/** A query, and the SQL that a person writes for it. */
const CASES: readonly NumberCase[] = [
  {
    dimensions: ['customers.region'],
    measures: ['orders.revenue', 'orders.count', 'orders.buyers'],
    sql: 'SELECT region, coalesce(sum(amount), 0), count(*), count(DISTINCT customer_id) FROM orders LEFT JOIN customers USING (customer_id) GROUP BY 1',
  },
  {
    dimensions: ['orders.size', 'orders.is_large', 'orders.tier'],
    measures: ['orders.count'],
    sql: `SELECT CASE WHEN amount >= 100 THEN 'it''s large' WHEN amount IS NULL THEN 'unknown' ELSE 'small' END, amount >= 100,
      CASE WHEN amount < 10 THEN 'Below 10' WHEN amount < 100 THEN '10 to 99' WHEN amount >= 100 THEN '100 or Above' END, count(*) FROM orders GROUP BY 1, 2, 3`,
  },
  {
    dimensions: ['orders.buyer'],
    measures: ['orders.usual', 'orders.smallest', 'orders.middle', 'orders.most'],
    sql: `SELECT customer_name || '/' || coalesce(channel, '-'), avg(amount), min(amount), median(amount), quantile_cont(CAST(amount AS DOUBLE), 0.75)
      FROM orders LEFT JOIN customers USING (customer_id) GROUP BY 1`,
  },
  {
    measures: ['orders.web_revenue', 'orders.average_order', 'orders.web_share', 'orders.spread', 'orders.latest'],
    sql: `SELECT w, r / n, w / r * 100, s, l FROM (SELECT sum(amount) AS r, count(*) AS n, max(amount) - min(amount) AS s, max(ordered_on) AS l,
      sum(amount) FILTER (WHERE channel = 'web' AND region = 'north') AS w FROM orders LEFT JOIN customers USING (customer_id))`,
  },
  {
    measures: ['orders.not_web', 'orders.some_amounts', 'orders.after_january'],
    sql: `SELECT count(*) FILTER (WHERE channel <> 'web' OR channel IS NULL), count(*) FILTER (WHERE amount >= 30 AND amount < 200 OR amount = 7.25),
      count(*) FILTER (WHERE ordered_on >= '2026-02-01' AND NOT coalesce(amount >= 100, FALSE)) FROM orders`,
  },
  {
    dimensions: ['orders.ordered_month', 'orders.ordered_month_name', 'orders.ordered_quarter_of_year', 'orders.big_month'],
    measures: ['orders.revenue'],
    sql: `SELECT date_trunc('month', ordered_on), monthname(ordered_on), 'Q' || quarter(ordered_on), CASE WHEN month(ordered_on) = 1 THEN 'first' ELSE 'later' END,
      coalesce(sum(amount), 0) FROM orders GROUP BY ALL`,
  },
  {
    dimensions: ['orders.ordered_date', 'orders.ordered_day_of_week', 'orders.ordered_day_of_year'],
    measures: ['orders.count'],
    sql: 'SELECT CAST(ordered_on AS DATE), dayname(ordered_on), dayofyear(ordered_on), count(*) FROM orders GROUP BY ALL',
  },
  {
    says: 'durations count boundaries',
    dimensions: ['orders.months_waited', 'orders.days_waited'],
    measures: ['orders.long_ago', 'orders.count'],
    sql: `SELECT date_diff('month', ordered_on, TIMESTAMP '2026-06-01'), date_diff('day', ordered_on, TIMESTAMP '2026-06-01') AS d,
      count(*) FILTER (WHERE date_diff('day', ordered_on, TIMESTAMP '2026-06-01') >= 100), count(*) FROM orders GROUP BY ALL`,
  },
  {
    dimensions: ['customers.region'],
    measures: ['orders.share'],
    sql: 'SELECT region, 100 * coalesce(sum(amount), 0) / (SELECT sum(amount) FROM orders) FROM orders LEFT JOIN customers USING (customer_id) GROUP BY 1',
  },
  {
    says: 'other periods, by months',
    dimensions: ['orders.ordered_month'],
    measures: ['orders.revenue_before', 'orders.revenue_growth'],
    where: [{ field: 'orders.ordered_date', op: 'between', value: ['2026-02-05', '2026-05-31'] }],
    sql: `SELECT m, b, (r - b) / nullif(b, 0) FROM (SELECT DISTINCT date_trunc('month', ordered_on) AS m,
      (SELECT coalesce(sum(amount), 0) FROM orders p WHERE date_trunc('month', p.ordered_on) = date_trunc('month', o.ordered_on) - INTERVAL 1 MONTH) AS b,
      (SELECT coalesce(sum(amount), 0) FROM orders p WHERE date_trunc('month', p.ordered_on) = date_trunc('month', o.ordered_on) AND p.ordered_on >= '2026-02-05') AS r
      FROM orders o WHERE ordered_on >= '2026-02-05' AND ordered_on < '2026-06-01')`,
  },
  {
    says: 'other periods, between two days',
    measures: ['orders.count_change', 'orders.revenue_so_far'],
    where: [{ field: 'orders.ordered_date', op: 'between', value: ['2026-05-01', '2026-05-31'] }],
    sql: 'SELECT count(*) FILTER (WHERE month(ordered_on) = 5) - count(*) FILTER (WHERE month(ordered_on) = 4), 0 FROM orders',
  },
  {
    dimensions: ['orders.price_bin'],
    measures: ['orders.count'],
    sql: "SELECT CASE WHEN amount < 10 THEN '(-inf,10)' WHEN amount < 100 THEN '[10,100)' WHEN amount >= 100 THEN '[100,inf)' END, count(*) FROM orders GROUP BY 1",
  },
  {
    says: 'each order once, although it has several lines',
    dimensions: ['customers.city'],
    measures: ['orders.revenue', 'lines.pieces', 'customers.orders_lines'],
    sql: `SELECT "City", r, coalesce(q, 0), coalesce(q, 0) FROM (SELECT "City", coalesce(sum(amount), 0) AS r FROM orders LEFT JOIN customers USING (customer_id) GROUP BY 1)
      LEFT JOIN (SELECT "City" AS c, sum(quantity) AS q FROM lines JOIN orders USING (order_id) LEFT JOIN customers USING (customer_id) GROUP BY 1) ON c IS NOT DISTINCT FROM "City"`,
  },
  {
    says: 'customers under another name',
    dimensions: ['receiver.region'],
    measures: ['orders.count'],
    sql: 'SELECT region, count(*) FROM orders LEFT JOIN customers USING (customer_id) GROUP BY 1',
  },
  {
    says: 'the condition of an explore holds in its view',
    view: 'web_orders',
    dimensions: ['receiver.region'],
    measures: ['orders.buyers'],
    sql: "SELECT region, count(DISTINCT customer_id) FROM orders LEFT JOIN customers USING (customer_id) WHERE channel = 'web' GROUP BY 1",
  },
  {
    says: 'a filter on lines does not reach orders',
    measures: ['customers.count'],
    where: [{ field: 'lines.product', op: 'eq', value: 'pen' }],
    code: 'FILTER_THROUGH_BRIDGE',
  },
]

sameNumbers('LookML', { importer: lookml, text: shop, rows: SHOP_ROWS, cases: CASES })

t.test('each item is in the model or in the list', async (t) => {
  const read = await imported(shop)
  t.same(refusals(read), [])
  t.match(
    read.losses.map(({ kind, message }) => `${kind}: ${message}`),
    [
      /rewritten: The query of 'customers' is its table/,
      /rewritten: 'orders.tier' is NULL where it is 'Undefined' .*: Below 10; 10 to 99; 100 or Above/,
      /rewritten: 'orders.price_bin' is NULL where it is 'Undefined' .*: \(-inf,10\); \[10,100\)/,
      /rewritten: 'orders.waited' counts the boundaries/,
      /rewritten: A group in which no row meets the filters/,
      /rewritten: '\/' in 'orders.average_order'/,
      /rewritten: '\/' in 'orders.web_share'/,
      /rewritten: 'orders.share' is the part of all rows/,
      /rewritten: 'orders.revenue_before' is over 'orders.ordered_raw'/,
      /rewritten: 'orders.count_change' is over/,
      /rewritten: '\/' in 'orders.revenue_growth'/,
      /rewritten: 'orders.revenue_growth' is over/,
      /rewritten: 'orders.revenue_so_far' is over/,
      /rewritten: Measures of 'customers' in the explore 'orders'/,
      /rewritten: Measures of 'lines' in the explore 'orders'/,
      /rewritten: The sql_always_where of 'web_orders' holds in the view/,
      /rewritten: Measures of 'receiver'/,
      /rewritten: No exact type .* 'orders'.*: order_id \(int\), .*amount \(float\)/,
      /rewritten: No exact type .* 'customers'/,
      /rewritten: No exact type .* 'lines'/,
      /rewritten: No exact type .* 'receiver'/,
      /inert: 'include' of the project/,
      /inert: 'view_label' of 'orders'/,
      /inert: 'drill_fields' of 'count'/,
      /inert: 'value_format_name' of 'usual'/,
      /inert: 'link' of 'region'/,
      /rewritten: A filter that does not reach a measure is an error/,
    ],
  )
  t.ok(read.losses.every(({ place }) => place !== undefined))
  t.match(read.document, {
    dataObjects: { orders: { code: 'orders', schema: 'main', database: 'shop' }, receiver: { code: 'customers' } },
    dimensions: {
      'orders.id': { hidden: true },
      'orders.channel': { description: 'Where it was sold', synonyms: ['Way of sale'] },
      'orders.ordered_month': { column: 'ordered_on', timeGrain: 'month' },
    },
    measures: {
      'orders.revenue': { format: '#,##0.00', defaultValue: 0 },
      'lines.pieces': { description: 'Pieces' },
      'lines.quantity_total': { synonyms: ['All pieces'] },
    },
    views: { orders: { description: 'What customers buy' } },
  })
  const shown = (explore: string) => (at(read, 'views', explore, 'fields') as { field: string }[]).map(({ field }) => field)
  t.same(
    shown('orders').filter((field) => field.startsWith('lines.')),
    ['lines.product', 'lines.quantity_total'],
  )
  t.notOk(shown('web_orders').some((field) => ['orders.buyer', 'orders.channel', 'orders.count'].includes(field)))
  t.notOk(Object.hasOwn(at(read, 'dataObjects') as object, 'base_line'), 'a template is no view')
})

t.test('a comparison that the model does not say is refused', async (t) => {
  for (const [from, to, message] of [
    ['period: month kind: previous', 'period: fiscal_year kind: previous', /the period 'fiscal_year' has no place/],
    ['period: month kind: previous', 'period: month kind: other', /the kind 'other' has no place/],
    ['based_on_time: ordered_month period', 'based_on_time: channel period', /'channel' is no timeframe of a time/],
    [
      'based_on: revenue based_on_time: ordered_month',
      'based_on: nothing based_on_time: ordered_month',
      /no measure 'orders.nothing'/,
    ],
    ['based_on: revenue based_on_time: ordered_month', 'based_on: nowhere.x based_on_time: ordered_month', /no view 'nowhere'/],
    [
      'based_on: revenue based_on_time: ordered_month',
      'filters: [channel: "web"] based_on: revenue based_on_time: ordered_month',
      /its filters reach/,
    ],
    ['type: bin bins', 'type: bin tiers: [1] bins', /it has tiers and bins/],
    ['bins: [10, 100]', 'bins: [100, 10]', /no numbers that rise/],
  ] as const) {
    const found = refusals(await imported(changed(from, to)))
    t.ok(
      found.some((loss) => message.test(loss.message) && loss.place),
      `${to}: ${found[0]?.message}`,
    )
  }
})

t.test('Liquid is refused by name, at its line, and so is what reads it', async (t) => {
  const text = changed(
    'type: sum sql: ${amount} ;; value_format_name',
    "type: sum sql: CASE\n  WHEN {% parameter p %} = 'a' THEN 1 END ;; value_format_name",
  )
  const read = await imported(text)
  const line = text.split('\n').findIndex((each) => each.includes('{% parameter')) + 1
  t.match(refusals(read)[0], {
    message: /'orders.revenue' is left out: its 'sql' has Liquid \(\{% … %\}\)/,
    place: { line, column: 8 },
  })
  t.ok(refusals(read).some(({ message }) => /'orders.share' is left out: 'orders.revenue'/.test(message)))
  for (const [from, to, message] of [
    [
      'shop.main.orders ;;',
      'shop.{{ _model._name }}.orders ;;',
      /The view 'orders' is left out: its 'sql_table_name' has Liquid/,
    ],
    ['channel: "web", customers', 'channel: "{{ x }}", customers', /'orders.web_revenue' is left out: its 'value' has Liquid/],
    ['shop.main.orders ;;', '@{schema}.orders ;;', /does not declare the constant '@\{schema\}'/],
  ] as const)
    t.ok(
      refusals(await imported(changed(from, to))).some((loss) => message.test(loss.message)),
      String(message),
    )
  const constant = await imported(
    `${changed('shop.main.orders ;;', '@{schema}.orders ;;')}\n---\nconstant: schema { value: "shop.main" }\n`,
  )
  t.match(at(constant, 'dataObjects', 'orders'), { code: 'orders', schema: 'main', database: 'shop' })
})

t.test('a rule about who sees what refuses the text, unless it is dropped', async (t) => {
  const service = await serviceWith(t, lookml)
  for (const [from, to, message] of [
    [
      'explore: orders {',
      'explore: orders {\n  access_filter: { field: customers.region user_attribute: region }',
      /access_filter/,
    ],
    ['explore: orders {', 'explore: orders {\n  required_access_grants: [sales]', /required_access_grants/],
    ['dimension: channel {', 'dimension: channel { required_access_grants: [sales]', /required_access_grants/],
    ['connection: "warehouse"', 'access_grant: sales { user_attribute: team allowed_values: ["sales"] }', /access_grant/],
    ["${orders.channel} = 'web'", '${orders.channel} = \'{{ _user_attributes["team"] }}\'', /sql_always_where/],
    ['extension: required', 'extension: required\n  required_access_grants: [sales]', /required_access_grants/],
  ] as const) {
    const text = changed(from, to)
    t.match(
      (await service.validate({ asker: undefined, model_yaml: text, format: 'lookml' })).errors,
      [{ message, line: Number }],
      String(message),
    )
    t.ok((await imported(text)).losses.some((loss) => loss.isSecurity && message.test(loss.message)))
    const dropped = await service.convert({ asker: undefined, model_yaml: text, format: 'lookml', drop_security: true })
    t.ok(dropped.model_yaml)
  }
})

t.test('what has no place in the model is refused by name, with what reads it', async (t) => {
  const revenue = 'measure: revenue { type: sum sql: ${amount} ;;'
  for (const [to, message] of [
    ['measure: revenue { type: running_total sql: ${count} ;;', /type 'running_total'/],
    ['measure: revenue { type: list list_field: channel', /type 'list'/],
    ['measure: revenue { type: sum sql: ${count} ;;', /'count' is a measure/],
    ['measure: revenue { type: sum sql: SUM(${amount}) ;;', /aggregates rows/],
    ['measure: revenue { type: sum sql: amount) FROM t; DROP TABLE t; -- ;;', /left out/],
    ["measure: revenue { type: sum sql: '${amount}' ;;", /inside of a text in quotes/],
    ['measure: revenue { type: sum sql: ${nowhere.amount} ;;', /no view 'nowhere'/],
    ['measure: revenue { type: sum sql: grainline_reference_0 ;;', /may not contain/],
    ['measure: revenue { type: sum sql: (SELECT 1) ;;', /not part of expressions/],
    [
      'measure: revenue { type: sum sql: CASE WHEN ${channel} = "web" THEN 1 END ;;',
      /"web" is a name in some databases and a text in others/,
    ],
    ['measure: revenue { type: number sql: ${average_order} + 1 ;;', /'orders.average_order' is left out/],
    ['measure: revenue { type: number sql: amount ;;', /is a column, and no measure/],
    ['measure: revenue { type: number sql: SUM(${amount}) OVER () ;;', /window or a filter/],
    ['measure: revenue { type: sum sql: ${amount} ;; filters: [ordered_date: "7 days"]', /the filter "7 days" has no place/],
    ['measure: revenue { type: sum_distinct sql: ${amount} ;; sql_distinct_key: ${channel} ;;', /no primary key of a view/],
  ] as const) {
    const read = await imported(changed(revenue, to))
    const name = 'orders.revenue'
    t.notOk(Object.hasOwn(at(read, 'measures') as object, name) || Object.hasOwn(at(read, 'metrics') as object, name), to)
    t.ok(
      refusals(read).some((loss) => loss.message.startsWith("The measure 'orders.revenue' is left out") && loss.place),
      to,
    )
    t.ok(
      refusals(read).some((loss) => message.test(loss.message)),
      `${to}: ${refusals(read)[0]?.message}`,
    )
    t.ok(
      refusals(read).some((loss) => /'orders.web_share' is left out: 'orders.revenue'/.test(loss.message)),
      to,
    )
  }
})

t.test('fields, joins and explores that have no place are refused, and the rest is read', async (t) => {
  for (const [from, to, message] of [
    ['dimension: product {}', 'dimension: product { type: location }', /dimension of the type 'location'/],
    [
      'dimension: product {}',
      'parameter: product { type: string }',
      /The parameter 'lines.product' is left out: its value is known only/,
    ],
    ['dimension: product {}', 'dimension: product { sql_longitude: x ;; }', /'sql_longitude' of 'product' is left out/],
    ['tiers: [10, 100]', 'tiers: [10, 1]', /tiers are no numbers that rise/],
    ['filters: [amount: ">=30 AND <200, 7.25"]', 'filters: [tier: "10 to 99"]', /'tier' is a tier/],
    ['timeframes: [raw,', 'timeframes: [fiscal_year, raw,', /the timeframe 'fiscal_year' has no place/],
    ['convert_tz: no', 'datatype: epoch', /datatype 'epoch'/],
    ['SELECT * FROM shop.main.customers', 'SELECT count(*) FROM shop.main.customers', /derived_table is a query/],
    [
      'derived_table: { sql: SELECT * FROM shop.main.customers ;; }',
      'derived_table: { explore_source: orders { column: id {} } }',
      /derived_table is no SQL/,
    ],
    ['relationship: many_to_one', 'relationship: many_to_one type: full_outer', /join 'full_outer'/],
    ['= ${customers.id} ;;', '= ${customers.id} AND ${customers.city} > 1 ;;', /more than equal columns/],
    ['join: receiver { from: customers', 'join: receiver { from: nobody', /does not declare 'nobody'/],
    ['extends: [base_line]', 'extends: [nothing]', /it extends 'nothing', which is not in the text/],
    ['view: +lines {', 'view: +nothing {', /no such view to refine/],
    [
      'view_name: orders',
      'view_name: orders always_filter: { filters: [orders.channel: "web"] }',
      /'always_filter' of 'web_orders' is left out/,
    ],
    ['sql_always_where: ', 'sql_always_having: ', /sql_always_having is a condition on the groups/],
    ['fields: [ALL_FIELDS*, -orders.buyer', 'fields: [ALL_FIELDS*, -nobody.buyer', /'-nobody.buyer' is left out of the fields/],
  ] as const) {
    const read = await imported(changed(from, to))
    t.ok(
      refusals(read).some((loss) => message.test(loss.message) && loss.place),
      `${to}: ${JSON.stringify(refusals(read))}`,
    )
  }
})

t.test('filter expressions are conditions', async (t) => {
  for (const [field, written, expression] of [
    ['channel', 'web,shop', "(({[orders].[channel]} = 'web') OR ({[orders].[channel]} = 'shop'))"],
    ['channel', '%w%', "({[orders].[channel]} LIKE '%w%')"],
    ['channel', '-NULL', '({[orders].[channel]} IS NOT NULL)'],
    ['channel', 'EMPTY', "({[orders].[channel]} IS NULL OR {[orders].[channel]} = '')"],
    ['channel', "it's", "({[orders].[channel]} = 'it''s')"],
    ['amount', '[1, 5)', '(({[orders].[amount]} >= 1) AND ({[orders].[amount]} < 5))'],
    ['amount', 'NOT 5', '({[orders].[amount]} <> 5 OR {[orders].[amount]} IS NULL)'],
    ['amount', '1 to 5', '({[orders].[amount]} BETWEEN 1 AND 5)'],
    ['is_large', 'Yes', 'coalesce({[orders].[is_large]}, FALSE)'],
    ['ordered_date', '2026-01-03', "(date_trunc('day', date_trunc('day', {[orders].[ordered_on]})) = DATE '2026-01-03')"],
  ] as const) {
    const read = await imported(changed('filters: [amount: ">=30 AND <200, 7.25"]', `filters: [${field}: "${written}"]`))
    t.same(at(read, 'measures', 'orders.some_amounts', 'filters'), [{ expression }], written)
  }
  const any = await imported(changed('filters: [amount: ">=30 AND <200, 7.25"]', 'filters: [channel: ""]'))
  t.equal(at(any, 'measures', 'orders.some_amounts', 'filters'), undefined)
})

t.test('an explore may join the same view by other ways, and a text is read in time', async (t) => {
  const view = (name: string, ...keys: string[]) =>
    `view: ${name} { dimension: id { primary_key: yes type: number }\n${keys.map((key) => `dimension: ${key} { type: number }`).join('\n')} measure: count { type: count } }\n`
  const join = (name: string, from: string, key: string) =>
    `join: ${name} { sql_on: \${${from}.${key}} = \${${name}.id} ;; relationship: many_to_one }\n`
  const ways = await imported(
    `${view('sales', 'store', 'buyer')}${view('stores', 'city')}${view('buyers', 'city')}${view('cities')}` +
      `explore: sales { ${join('stores', 'sales', 'store')}${join('cities', 'stores', 'city')} }\n` +
      `explore: bought { view_name: sales ${join('buyers', 'sales', 'buyer')}${join('cities', 'buyers', 'city')} }`,
  )
  t.match(at(ways, 'dimensions', 'bought: cities.id'), { dataObject: 'cities', via: 'buyers' })
  t.match(at(ways, 'dimensions', 'sales: cities.id'), { dataObject: 'cities', via: 'stores' })
  t.match(await lookml.read({ text: 'view: a { extends: [b] }\nview: b { extends: [a] }' }), {
    faults: [{ message: /extends itself/, place: { line: 1 } }],
  })
  t.match(await lookml.read({ text: `view: a ${'{ a: '.repeat(5000)}` }), { faults: [{ message: /More than 50 blocks/ }] })
  t.match(await lookml.read({ text: 'view: a { sql_table_name: a }\n---\nview: b {}' }), {
    faults: [{ message: /does not end with ;;/ }],
  })
  t.match(await lookml.read({ text: 'view: a {\n---\nview: b {}' }), { faults: [{ message: /not closed/, place: { line: 1 } }] })
  const many = Array.from({ length: 1000 }, (_, i) => `dimension: d${i} { sql: \${TABLE}.x${i} || y${i} ;; }`).join('\n')
  const read = await imported(`view: a { ${many} }`)
  t.equal(Object.keys(at(read, 'dimensions') as object).length, 1000)
  const loop = await imported('view: a { measure: m { type: number sql: ${n} ;; } measure: n { type: number sql: ${m} ;; } }')
  t.match(refusals(loop), { length: 2 })
  for (const file of ['views/a.view.lkml', 'm.model.lkml', 'manifest.lkml', 'old.view.lookml']) t.ok(lookml.files?.(file), file)
  for (const file of ['README.md', 'a.dashboard.lookml', '.git/a.lkml']) t.notOk(lookml.files?.(file), file)
})

/** Damaged texts often have many views that extend others, which are read in another process: that takes longer to start than to read them. */
const here = apart(importer, '', () => 0)

readsBroken({ what: 'models of LookML', importer: here, texts: [shop], service: (t) => serviceWith(t, here) })

t.test('views that extend each other are read in a thread, because each repeats the fields of all before it', async (t) => {
  const views = Array.from({ length: 120 }, (_, i) => `view: v${i + 1} { extends: [v${i}] dimension: a${i + 1} {} }`)
  const text = ['view: v0 { sql_table_name: t ;; dimension: a0 { primary_key: yes } }', ...views].join('\n')
  t.ok(text.length < 10_000)
  let turns = 0
  const counted = setInterval(() => turns++, 0)
  const read = await lookml.read({ text })
  clearInterval(counted)
  t.notOk('faults' in read)
  t.ok(turns > 10, `${turns} turns of the event loop meanwhile`)
})
