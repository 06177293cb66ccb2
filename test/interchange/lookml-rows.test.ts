// biome-ignore-all lint/suspicious/noTemplateCurlyInString: LookML names fields so
/** LookML: views over a query with a condition, and fields that are inherited, refined and declared twice. */
import t from 'tap'
import { lookml } from '../../plugins/importer-lookml/src/index.js'
import { at, changedIn, readBy, refusals, SHOP_ROWS } from './foreign-texts.js'
import { sameNumbers } from './numbers-by-hand.js'

const imported = readBy(lookml)

const SALES = `
view: web_sales {
  derived_table: { sql: SELECT o.order_id, customer_id, o.amount, channel FROM shop.main.orders AS o WHERE o.channel = 'web' AND amount > 10 ;; }
  dimension: id { primary_key: yes type: number sql: \${TABLE}.order_id ;; }
  dimension: customer_id { type: number hidden: yes }
  measure: revenue { type: sum sql: \${TABLE}.amount ;; }
  measure: count { type: count }
}
view: buyers {
  sql_table_name: shop.main.customers ;;
  dimension: id { primary_key: yes type: number sql: \${TABLE}.customer_id ;; }
  dimension: region {}
  measure: count { type: count }
}
view: northern {
  derived_table: { sql: select * from shop.main.customers where region = 'north'; ;; }
  dimension: id { primary_key: yes type: number sql: \${TABLE}.customer_id ;; }
  dimension: city { sql: \${TABLE}."City" ;; }
  measure: count { type: count }
}
explore: web_sales { join: buyers { relationship: many_to_one sql_on: \${web_sales.customer_id} = \${buyers.id} ;; } }
explore: northern {}
`

const changed = changedIn(SALES)

sameNumbers('LookML, rows that meet a condition', {
  importer: lookml,
  text: SALES,
  rows: SHOP_ROWS,
  cases: [
    {
      dimensions: ['buyers.region'],
      measures: ['web_sales.revenue', 'web_sales.count'],
      sql: "SELECT region, sum(amount), count(*) FROM (SELECT * FROM orders WHERE channel = 'web' AND amount > 10) LEFT JOIN customers USING (customer_id) GROUP BY 1",
    },
    { measures: ['buyers.count'], sql: 'SELECT count(*) FROM customers' },
    {
      dimensions: ['northern.city'],
      measures: ['northern.count'],
      sql: 'SELECT "City", count(*) FROM customers WHERE region = \'north\' GROUP BY 1',
    },
    { view: 'northern', dimensions: ['northern.city'], sql: 'SELECT DISTINCT "City" FROM customers WHERE region = \'north\'' },
  ],
})

t.test('a condition of a derived table is a filter of the model, with a line', async (t) => {
  const read = await imported(SALES)
  t.same(refusals(read), [])
  t.match(read.document, {
    filters: [
      { dataObject: 'web_sales', column: 'web_sales (rows)', operator: 'equals', value: true },
      { dataObject: 'northern', column: 'northern (rows)', operator: 'equals', value: true },
    ],
    dataObjects: { web_sales: { code: 'orders', schema: 'main', database: 'shop' } },
  })
  t.match(
    read.losses.filter(({ message }) => message.includes('condition in the query')),
    [
      { kind: 'rewritten', message: /'web_sales'/, place: { line: 3 } },
      { kind: 'rewritten', message: /'northern'/, place: { line: 16 } },
    ],
  )
})

t.test('a derived table of other rows is refused, at its line', async (t) => {
  const condition = "WHERE o.channel = 'web' AND amount > 10"
  for (const [to, message] of [
    [`${condition} GROUP BY 1, 2, 3, 4`, /'web_sales' is left out: its derived_table is a query/],
    [`${condition} LIMIT 10`, /its derived_table is a query/],
    [`${condition} ORDER BY 1`, /its derived_table is a query/],
    [`${condition} UNION ALL SELECT 1, 2, 3, 'web'`, /its derived_table is a query/],
    ['JOIN shop.main.customers USING (customer_id)', /its derived_table is a query/],
    [', shop.main.customers', /its derived_table is a query/],
    ['WHERE amount > (SELECT avg(amount) FROM shop.main.orders)', /not part of expressions of a model/],
    ['WHERE sum(amount) > 1', /'sum' aggregates rows/],
    ['WHERE p.amount > 1', /'p.amount' is no column of 'o'/],
    ['WHERE ${id} > 1', /its derived_table is a query/],
    ['WHERE {% condition web_sales.id %} order_id {% endcondition %}', /its 'sql' has Liquid \(\{% … %\}\)/],
    ["WHERE channel = '{{ _filters['web_sales.id'] }}'", /its 'sql' has Liquid \(\{\{ … \}\}\)/],
    ['WHERE {% parameter p %} = 1', /its 'sql' has Liquid/],
  ] as const) {
    const read = await imported(changed(condition, to))
    const found = refusals(read)
    t.match(
      found.find((loss) => message.test(loss.message)),
      { place: { line: 3 } },
      `${to}: ${JSON.stringify(found[0])}`,
    )
    t.notOk(Object.hasOwn(at(read, 'dataObjects') as object, 'web_sales'), `${to}: no rows without their condition`)
    t.notOk(Object.hasOwn(at(read, 'measures') as object, 'web_sales.revenue'), to)
    t.ok(Object.hasOwn(at(read, 'measures') as object, 'buyers.count'), `${to}: the rest is read`)
  }
  for (const items of ['order_id AS id, customer_id', 'DISTINCT channel', 'count(*)', '1'])
    t.match(refusals(await imported(changed('o.order_id, customer_id, o.amount, channel', items)))[0], {
      message: /its derived_table is a query/,
    })
})

t.test('rows that lead to a view with a condition keep their place: such a join is refused', async (t) => {
  const read = await imported(`${SALES}
explore: all { from: web_sales view_name: sold join: northern { relationship: many_to_one sql_on: \${sold.customer_id} = \${northern.id} ;; } }`)
  t.match(
    refusals(read).find(({ message }) => message.includes('northern')),
    { message: /The join of 'northern' .* is left out: 'northern' is a query with a condition/, place: { line: 24 } },
  )
  t.same(at(read, 'dataObjects', 'sold', 'joins'), undefined)
})

const FIELDS = `
view: base {
  sql_table_name: shop.main.orders ;;
  dimension: id { primary_key: yes type: number sql: \${TABLE}.order_id ;; }
  dimension: kind { sql: \${TABLE}.channel ;; label: "Kind" }
  measure: total { type: sum sql: \${TABLE}.amount ;; filters: [kind: "web"] description: "Base" }
  measure: count { type: count }
}
view: more { extends: [base] dimension: kind { label: "Other" } measure: total { filters: [kind: "shop"] } }
view: +more { measure: total { label: "All" } measure: double { type: number sql: \${total} * 2 ;; } }
view: +more { measure: total { label: "Everything" } }
view: last { extends: [base, more] measure: count { hidden: yes } }
`

sameNumbers('LookML, inherited fields', {
  importer: lookml,
  text: FIELDS,
  rows: SHOP_ROWS,
  cases: [
    {
      measures: ['base.total', 'more.total', 'more.double', 'last.total'],
      sql: "SELECT w, s, s * 2, s FROM (SELECT sum(amount) FILTER (WHERE channel = 'web') AS w, sum(amount) FILTER (WHERE channel = 'shop') AS s FROM orders)",
    },
    { dimensions: ['more.kind'], measures: ['more.count'], sql: 'SELECT channel, count(*) FROM orders GROUP BY 1' },
  ],
})

t.test('a field has what it inherits, and later keys take the place of earlier ones', async (t) => {
  const read = await imported(FIELDS)
  t.match(read.document, {
    dimensions: {
      'base.kind': { synonyms: ['Kind'] },
      'more.kind': { synonyms: ['Other'] },
      'last.kind': { synonyms: ['Other'] },
    },
    measures: {
      'more.total': { description: 'Base', synonyms: ['Everything'] },
      'last.total': { description: 'Base', synonyms: ['Everything'] },
      'last.count': { hidden: true },
    },
  })
  t.notOk(Object.hasOwn((at(read, 'measures', 'more.count') ?? {}) as object, 'hidden'))
})

t.test('a field that is declared twice in one view is refused by name, at the second one', async (t) => {
  for (const twice of [
    'dimension: kind {}',
    'measure: kind { type: count }',
    'dimension_group: kind { type: time timeframes: [raw] }',
  ]) {
    const text = FIELDS.replace('  measure: count { type: count }\n', (line) => `${line}  ${twice}\n`)
    const read = await lookml.read({ text })
    if (twice.includes('dimension_group')) t.notOk('faults' in read, 'kind_raw is another name')
    else t.match(read, { faults: [{ message: /two (fields|items).*'kind'|'kind'/, place: { line: 8 } }] }, twice)
  }
})
