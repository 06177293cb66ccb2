/** TMDL: the numbers of SQL written by hand, a list of what is lost, and no text that breaks the importer. */
import { importerConformance } from '@grainline/core/testing'
import t from 'tap'
import { tmdl } from '../../plugins/importer-tmdl/src/index.js'
import { readsBroken } from './broken.js'
import { at, changedIn, readBy, refusals, textOf } from './foreign-texts.js'
import { type NumberCase, sameNumbers, serviceWith } from './numbers-by-hand.js'

const shop = textOf('tmdl/shop.tmdl')

const days = textOf('tmdl/days.tmdl')

const imported = readBy(tmdl)

const changed = changedIn(shop)

importerConformance(t, { importer: tmdl, model: shop, invalid: 'table Orders\n\tcolumn id\n\t\t= = =\n' })

const CUSTOMERS = 'orders LEFT JOIN customers USING (customer_id)'

/** A query, and the SQL that a person writes for it. */
const CASES: readonly NumberCase[] = [
  {
    dimensions: ['Customers.region'],
    measures: ['Revenue', 'Order Count', 'Buyers', 'Channels', 'Known Channels', 'Smallest', 'Usual', 'Known Amounts'],
    sql: `SELECT region, sum(amount), count(*), count(DISTINCT coalesce(customer_id, -1)), count(DISTINCT coalesce(channel, '?')), count(DISTINCT channel), min(amount), avg(amount), count(amount)
      FROM ${CUSTOMERS} GROUP BY 1`,
  },
  {
    says: 'a sum with a blank is the other operand',
    measures: ['With Fee', 'Net', 'Fenced', 'Average Order'],
    sql: 'SELECT sum(coalesce(amount, 0) + coalesce(fee, 0)), sum(amount) - sum(fee), sum(amount) * 2, sum(amount) / count(*) FROM orders',
  },
  {
    says: 'blank without fees',
    dimensions: ['Orders.channel'],
    measures: ['Net'],
    sql: 'SELECT channel, CASE WHEN count(fee) = 0 THEN sum(amount) ELSE coalesce(sum(amount), 0) - sum(fee) END FROM orders GROUP BY 1',
  },
  {
    says: 'CALCULATE replaces the filter and the group of its column; KEEPFILTERS does not',
    dimensions: ['Orders.channel'],
    measures: ['Order Count', 'Web Revenue', 'Web Kept', 'Web Rows'],
    sql: `SELECT channel, count(*), (SELECT sum(amount) FROM orders WHERE channel = 'web'), sum(amount) FILTER (WHERE channel = 'web'),
      sum(amount) FILTER (WHERE channel = 'web' AND NOT coalesce(is_gift, FALSE)) FROM orders GROUP BY 1`,
  },
  {
    says: 'other groups and filters stay',
    dimensions: ['Customers.region'],
    measures: ['Web Revenue'],
    where: [{ field: 'Orders.channel', op: '=', value: 'shop' }],
    sql: `SELECT region, sum(amount) FROM ${CUSTOMERS} WHERE channel = 'web' GROUP BY 1`,
  },
  {
    says: 'a blank is 0, or an empty text, in a comparison, and in no list',
    measures: ['Not Web', 'Cheap', 'North', 'Late Orders'],
    sql: `SELECT count(*) FILTER (WHERE coalesce(channel, '') <> 'web'), count(*) FILTER (WHERE coalesce(amount, 0) < 50),
      sum(amount) FILTER (WHERE region IN ('north', 'east')), count(*) FILTER (WHERE ordered_on >= '2026-02-01') FROM ${CUSTOMERS}`,
  },
  {
    says: 'ALL, and a share',
    dimensions: ['Customers.region'],
    measures: ['All Revenue', 'Share of Region'],
    sql: `SELECT region, (SELECT sum(amount) FROM orders), sum(amount) / (SELECT sum(amount) FROM orders) FROM ${CUSTOMERS} GROUP BY 1`,
  },
  {
    says: 'filters of a CALCULATE inside replace those outside',
    dimensions: ['Customers.region'],
    measures: ['Order Count', 'Nested', 'Average Or None'],
    sql: `SELECT region, count(*), (SELECT sum(amount) FROM ${CUSTOMERS} WHERE channel = 'web' AND region = 'north'), -1 FROM ${CUSTOMERS} GROUP BY 1`,
  },
  {
    dimensions: ['Orders.Size', 'Orders.Month', 'Orders.Buyer Region'],
    measures: ['Order Count'],
    sql: `SELECT CASE WHEN amount >= 100 THEN 'large' WHEN amount IS NULL THEN 'unknown' ELSE 'small' END, coalesce(month(ordered_on), 12), region, count(*) FROM ${CUSTOMERS} GROUP BY ALL`,
  },
  {
    says: 'each order once, although it has several lines',
    dimensions: ['Customers.City'],
    measures: ['Revenue', 'Pieces'],
    sql: `SELECT "City", r, q FROM (SELECT "City", sum(amount) AS r FROM ${CUSTOMERS} GROUP BY 1)
      LEFT JOIN (SELECT "City" AS c, sum(quantity) AS q FROM lines JOIN orders USING (order_id) LEFT JOIN customers USING (customer_id) GROUP BY 1) ON c IS NOT DISTINCT FROM "City"`,
  },
]

const SHOP = `
  ATTACH ':memory:' AS shop; USE shop;
  CREATE TABLE customers (customer_id INTEGER, region VARCHAR, "City" VARCHAR);
  INSERT INTO customers VALUES (1, 'north', 'Oslo'), (2, 'south', 'Rome'), (3, NULL, 'Bern'), (4, 'north', 'Oslo');
  CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, channel VARCHAR, ordered_on TIMESTAMP, amount DECIMAL(18, 2), fee DECIMAL(18, 2), is_gift BOOLEAN);
  INSERT INTO orders VALUES (1, 1, 'web', '2026-01-03', 120, 1, TRUE), (2, 1, 'shop', '2026-01-20', 30.5, NULL, NULL), (3, 2, 'web', '2026-02-01', 99.99, 2.5, FALSE),
    (4, 9, 'shop', '2026-02-11', 250, NULL, FALSE), (5, 3, NULL, '2026-04-01', 10, 3, NULL), (6, 2, 'web', '2026-04-01', NULL, 4, NULL), (7, 2, 'web', '2026-05-31', 7.25, NULL, NULL),
    (8, NULL, 'shop', NULL, 1, NULL, NULL);
  CREATE TABLE lines (line_id INTEGER, order_id INTEGER, product VARCHAR, quantity INTEGER);
  INSERT INTO lines VALUES (1, 1, 'pen', 2), (2, 1, 'ink', 1), (3, 2, 'pen', 5), (4, 3, 'pen', 1), (5, 5, 'ink', 4), (6, 7, 'ink', 3)`

sameNumbers('TMDL', { importer: tmdl, text: shop, rows: SHOP, cases: CASES })

t.test('each item is in the model or in the list', async (t) => {
  const read = await imported(shop)
  t.same(refusals(read), [])
  t.match(
    read.losses.map(({ kind, message }) => `${kind}: ${message}`),
    [
      /rewritten: The table of 'Lines' is that of its annotation/,
      /inert: 'LocalDateTable_9a' is left out/,
      /rewritten: Filters pass 'Lines.order_id to Orders' in both directions/,
      /inert: The relationship to 'LocalDateTable_9a'/,
      /rewritten: The relationship 'Lines.line_id to Customers' is not active/,
      /rewritten: The hierarchy 'Customers.Places' has no name here/,
      /rewritten: '\/' in 'Average Order'/,
      /rewritten: '\/' in 'Average Or None'/,
      /rewritten: '\/' in 'Share of Region'/,
      /rewritten: A filter that does not reach a measure is an error/,
      /rewritten: A count of nothing is 0/,
      /rewritten: Comparisons of texts/,
      /inert: 'lineageTag' of 'Orders'/,
      /inert: 'displayFolder' of 'Revenue'/,
      /inert: 'summarizeBy' of 'order_id'/,
      /inert: 'annotation' of 'channel'/,
      /inert: 'formatString' of 'ordered_on'/,
      /inert: 'annotation' of 'Orders'/,
      /inert: 'culture' of 'Model'/,
    ],
  )
  t.ok(read.losses.every(({ place }) => place !== undefined))
  t.match(read.document, {
    settings: { strictFilters: true },
    dataObjects: {
      Orders: {
        code: 'orders',
        schema: 'main',
        database: 'shop',
        description: 'What customers buy',
        columns: { channel: { code: 'channel' } },
      },
      Customers: { code: 'customers', schema: 'main' },
      Lines: { code: 'lines', database: 'shop', joins: [{ joinTo: 'Orders' }, { joinTo: 'Customers', secondary: true }] },
    },
    dimensions: { 'Orders.order_id': { hidden: true }, 'Customers.City': { hierarchy: ['Customers.region'] } },
    measures: {
      Revenue: { format: '#,##0.00', description: 'In euros' },
      Fenced: { hidden: true },
      'Web Kept': { filters: [{ expression: "({[Orders].[channel]} = 'web')" }] },
    },
    metrics: { 'Share of Region': { format: '0.0%' } },
  })
})

t.test('a role refuses the text, unless it is dropped', async (t) => {
  const service = await serviceWith(t, tmdl)
  for (const [text, message] of [
    [
      `${shop}\nrole North\n\tmodelPermission: read\n\n\ttablePermission Customers = Customers[region] = "north"\n`,
      /The role 'North'/,
    ],
    [`${shop}\nrole Readers\n\tmodelPermission: read\n`, /The role 'Readers'/],
    [changed('model Model\n', 'model Model\n\trole North\n\t\tmodelPermission: read\n'), /The role 'North'/],
    [
      changed('\thierarchy Places\n', '\tcolumnPermission City: none\n\thierarchy Places\n').replace('City: none', 'City = none'),
      /'columnPermission'/,
    ],
  ] as const) {
    t.match(
      (await service.validate({ asker: undefined, model_yaml: text, format: 'tmdl' })).errors,
      [{ message, line: Number }],
      String(message),
    )
    t.ok((await service.convert({ asker: undefined, model_yaml: text, format: 'tmdl', drop_security: true })).model_yaml)
  }
})

t.test('DAX that has no place is refused by name, with its text and what reads it', async (t) => {
  for (const [to, message] of [
    ['RANKX(ALL(Customers), [Order Count])', /the function RANKX has no place/],
    ['TOTALYTD(SUM(Orders[amount]), Orders[ordered_on])', /DATESYTD reads 'Orders'\[ordered_on\], which has no day without rows/],
    [
      'CALCULATE(SUM(Orders[amount]), SAMEPERIODLASTYEAR(Orders[ordered_on]))',
      /SAMEPERIODLASTYEAR reads 'Orders'\[ordered_on\], which has no day/,
    ],
    [
      'CALCULATE(SUM(Orders[amount]), USERELATIONSHIP(Lines[line_id], Customers[customer_id]))',
      /no relationship with these columns leads from 'Orders'/,
    ],
    ['CALCULATE(SUM(Orders[amount]), TREATAS(Orders))', /TREATAS has no place/],
    ['CALCULATE(SUM(Orders[amount]), KEEPFILTERS(ALL(Orders)))', /KEEPFILTERS has no condition/],
    ['CALCULATE(SUM(Orders[amount]), Lines[product] = "pen")', /its filter on 'Lines' does not reach the rows of 'Orders'/],
    ['CALCULATE(SUM(Orders[amount]), Orders[channel] = 1)', /it compares/],
    ['CALCULATE(SUM(Orders[amount]), FILTER(Orders, [Order Count] > 1))', /\[Order Count\] is no column/],
    ['SUMX(VALUES(Customers[region]), [Order Count])', /over something that is no table/],
    ['SUMX(Orders, Customers[region])', /is of another table/],
    ['SUM(Orders[channel])', /which is no number/],
    ['SUM(Orders[nothing])', /is no column of the model/],
    ['SUM(Nowhere[amount])', /the table 'Nowhere' is not in the model/],
    ['SUM(Orders[amount]) & "x"', /is no text/],
    ['IF(HASONEVALUE(Orders[channel]), 1)', /the function HASONEVALUE has no place/],
    ['Orders[amount]', /is a column, and in no aggregate/],
    ['[Nothing]', /there is no measure \[Nothing\]/],
    ['[Average Order]', /reads itself/],
    ['1 + 1', /no aggregate/],
    ['SUM(Orders[amount]', /its DAX has no '\)' before 'its end'/],
    ['VAR x = SUM(Orders[amount]) RETURN CALCULATE(x, ALL(Orders))', /variable 'x' is computed outside of the CALCULATE/],
    [`${'('.repeat(500)}1`, /nested too deeply/],
  ] as const) {
    const read = await imported(changed('measure Revenue = SUM(Orders[amount])', `measure Revenue = ${to}`))
    t.notOk(
      Object.hasOwn(at(read, 'measures') as object, 'Revenue') || Object.hasOwn(at(read, 'metrics') as object, 'Revenue'),
      to,
    )
    t.match(
      refusals(read).find((loss) => loss.message.startsWith("The measure 'Revenue' is left out")),
      { place: { line: 6, column: 20 }, hint: /\. Its DAX is: / },
      to,
    )
    t.ok(
      refusals(read).some((loss) => message.test(loss.message)),
      `${to}: ${refusals(read)[0]?.message}`,
    )
    t.ok(
      refusals(read).some((loss) => /'(Net|Average Order)' is left out/.test(loss.message)),
      to,
    )
  }
})

t.test('tables are those that the steps of M go to', async (t) => {
  const source = 'Source{[Schema="main",Item="orders"]}[Data]'
  for (const [from, to, table] of [
    ['Sql.Database(Server, Base)', 'Sql.Database("x", "warehouse")', ['orders', 'main', 'warehouse']],
    [
      source,
      'Source{[Name="DB",Kind="Database"]}[Data]{[Name="PUBLIC",Kind="Schema"]}[Data]{[Name="ORDERS",Kind="Table"]}[Data]',
      ['ORDERS', 'PUBLIC', 'DB'],
    ],
    ['{{"channel", "way"}}', '{"channel", "way"}', ['orders', 'main', 'shop']],
  ] as const) {
    const read = await imported(changed(from, to))
    t.same(
      ['code', 'schema', 'database'].map((key) => at(read, 'dataObjects', 'Orders', key)),
      table,
    )
    t.equal(at(read, 'dataObjects', 'Orders', 'columns', 'channel', 'code'), 'channel')
  }
  for (const [from, to, message] of [
    [
      'Table.RenameColumns(main_orders,{{"channel", "way"}})',
      'Table.SelectRows(main_orders, each [amount] > 1)',
      /calls 'Table.SelectRows', which makes other rows/,
    ],
    [source, 'Source{[Schema="main",Item=Unknown]}[Data]', /whose name is not written out/],
    [source, 'Value.NativeQuery(Source, "SELECT 1")', /calls 'Value.NativeQuery'/],
    ['main_orders = ', 'main_orders = main_orders, x = ', /no step to a table/],
    ['partition Orders = m', 'partition Orders = calculated', /DAX computes its rows/],
    ['partition Orders = m', 'partition Orders = query', /a partition 'query'/],
    ['entityName: customers', 'entityName: ""', /'entityName' is missing/],
    ['annotation GrainlineTable = shop.main.lines', 'annotation GrainlineTable = SELECT 1', /is no table/],
    ['annotation GrainlineTable = shop.main.lines', 'annotation Other = 1', /'Lines' is left out: it has no partition/],
    [
      '\thierarchy Places',
      '\tcalculationGroup\n\t\tprecedence: 1\n\thierarchy Places',
      /'Customers' is left out: it is a calculation group/,
    ],
  ] as const) {
    const read = await tmdl.read({ text: changed(from, to) })
    const said = 'faults' in read ? read.faults : refusals(read)
    t.ok(
      said.some((each) => message.test(each.message) && each.place),
      `${to}: ${JSON.stringify(said[0])}`,
    )
  }
})

t.test('a step of M that makes days of times makes a date, and other changes of values leave the column out', async (t) => {
  const RENAMED = 'Table.RenameColumns(main_orders,{{"channel", "way"}})'
  const typed = (list: string) => changed(RENAMED, `Table.TransformColumnTypes(${RENAMED}, ${list})`)
  const typeOf = async (text: string, column = 'ordered_on') =>
    at(await imported(text), 'dataObjects', 'Orders', 'columns', column, 'abstractType')
  t.equal(await typeOf(shop), 'timestamp')
  for (const day of ['type date', 'type nullable date', 'Date.Type'])
    t.equal(await typeOf(typed(`{{"way", type text}, {"ordered_on", ${day}}, {"amount", Currency.Type}}, "en-US"`)), 'date', day)
  t.equal(await typeOf(typed('{"ordered_on", type date}')), 'date', 'one pair')
  t.equal(await typeOf(typed('{}')), 'timestamp', 'no pair')
  t.equal(await typeOf(typed('{{"ordered_on", type datetime}}')), 'timestamp')
  const twice = (list: string) =>
    changed(RENAMED, `Table.TransformColumnTypes(Table.TransformColumnTypes(${RENAMED}, {{"ordered_on", type date}}), ${list})`)
  t.equal(await typeOf(twice('{{"ordered_on", type datetime}}')), 'date', 'midnight of the day')
  const renamedAfter = changed(
    RENAMED,
    `Table.RenameColumns(Table.TransformColumnTypes(${RENAMED}, {{"ordered_on", type date}}),{{"ordered_on", "day"}})`,
  ).replace('sourceColumn: ordered_on', 'sourceColumn: day')
  t.equal(await typeOf(renamedAfter), 'date', 'under its last name')
  t.equal(at(await imported(renamedAfter), 'dataObjects', 'Orders', 'columns', 'ordered_on', 'code'), 'ordered_on')
  for (const [text, type] of [
    [typed('{{"ordered_on", type time}}'), 'time'],
    [typed('{{"ordered_on", type datetimezone}}'), 'datetimezone'],
    [twice('{{"ordered_on", type text}}'), 'date, then text'],
  ] as const) {
    const read = await imported(text)
    const message = `The column 'ordered_on' of 'Orders' is left out: its M makes a value of the type '${type}' of it.`
    t.match(refusals(read)[0], { message, hint: /^Create a view/, place: { line: Number } })
  }
  const odd = refusals(await imported(typed('Types')))
  t.match(odd[0], { message: /'Orders' is left out: its M changes columns in a way that is not written out/ })
})

/** The M of the orders, in steps that read a file. */
const fileIn = (path: string, names = 'Table.PromoteHeaders(Source, [PromoteAllScalars=true])') =>
  `Source = Csv.Document(File.Contents(${path}),[Delimiter=",", Columns=6, Encoding=65001, QuoteStyle=QuoteStyle.Csv]),
\t\t\t\t\tmain_orders = ${names},`

const TO_THE_TABLE = `Source = Sql.Database(Server, Base),
\t\t\t\t\tmain_orders = Source{[Schema="main",Item="orders"]}[Data],`

t.test('a file is a table with its name, and the list says which file', async (t) => {
  for (const [path, said] of [
    ['Base & "\\Bestellungen 2026.csv"', 'shop\\Bestellungen 2026.csv'],
    ['"C:\\data\\Bestellungen 2026.csv"', 'C:\\data\\Bestellungen 2026.csv'],
    ['Unknown & "/in/" & "Bestellungen 2026.TXT"', 'Unknown/in/Bestellungen 2026.TXT'],
  ] as const) {
    const read = await imported(changed(TO_THE_TABLE, fileIn(path)))
    const { code, schema, database } = at(read, 'dataObjects', 'Orders') as Record<string, unknown>
    t.same([code, schema, database], ['Bestellungen 2026', undefined, undefined], path)
    t.equal(at(read, 'dataObjects', 'Orders', 'columns', 'channel', 'code'), 'channel', 'as the first line calls it')
    const lines = read.losses.filter(({ message }) => message.includes("the file '"))
    t.match(lines, [{ kind: 'rewritten', place: { line: Number } }], path)
    t.ok(lines[0]?.message.includes(`the file '${said}': its table is 'Bestellungen 2026'`), path)
  }
})

t.test('names that come before those of the first line are lost with them', async (t) => {
  const steps = fileIn(
    '"/in/orders.csv"',
    'Table.PromoteHeaders(Table.RenameColumns(Source,{{"Column3", "way"}}), [PromoteAllScalars=true])',
  )
  const read = await imported(changed(TO_THE_TABLE, steps).replace('{{"channel", "way"}}', '{{"amount", "way"}}'))
  t.equal(at(read, 'dataObjects', 'Orders', 'columns', 'channel', 'code'), 'amount')
})

t.test('a file that cannot be named, or whose rows are others, is refused with what to do', async (t) => {
  for (const [steps, message] of [
    [fileIn('Unknown & "orders.csv"'), /a file whose name is not written out/],
    [fileIn('"/in/" & Unknown'), /a file whose name is not written out/],
    [fileIn('"/in/.csv"'), /a file whose name is not written out/],
    [fileIn('"/in.csv/orders"'), /a file whose name is not written out/],
    [fileIn('"/in/orders#(00e4).csv"'), /a file whose name is not written out/],
    [fileIn('"/in/orders.json"'), /no file of lines/],
    [fileIn('"/in/orders.csv"', 'Source'), /without the names of its columns/],
    [fileIn('"/in/orders.csv"', 'Table.PromoteHeaders(Table.PromoteHeaders(Source))'), /which makes other rows/],
    [fileIn('"/in/orders.csv"', 'Table.Skip(Source, 1)'), /calls 'Table.Skip', which makes other rows/],
    [fileIn('"/in/orders.csv"', 'Csv.Document(Source)'), /reads lines of what is no file/],
    [fileIn('"/in/orders.csv"', 'Source{[Schema="main",Item="orders"]}[Data]'), /a part of a file/],
    [`${TO_THE_TABLE.slice(0, -1)},\n\t\t\t\t\tmain_orders = Table.PromoteHeaders(Source),`, /which makes other rows/],
  ] as const) {
    const read = await imported(changed(TO_THE_TABLE, steps))
    const refused = refusals(read).find((loss) => message.test(loss.message))
    t.match(refused, { message: /'Orders' is left out/, hint: /annotation GrainlineTable/, place: { line: Number } }, steps)
  }
})

t.test('two files with one name are not one table', async (t) => {
  const table = (name: string, path: string) =>
    `table ${name}\n\tcolumn x\n\t\tdataType: int64\n\tpartition ${name} = m\n\t\tsource = Table.PromoteHeaders(Csv.Document(File.Contents(${path})))\n\n`
  const same = await imported(table('A', '"/in/orders.csv"') + table('B', '"/in/orders.csv"'))
  t.same(Object.keys(same.document['dataObjects'] as object), ['A', 'B'])
  const other = await imported(table('A', '"/2025/orders.csv"') + table('B', '"/2026/Orders.csv"'))
  t.same(Object.keys(other.document['dataObjects'] as object), ['A'])
  t.match(refusals(other), [
    { message: /'B' is left out: .*another file, '\/2025\/orders\.csv'/, hint: /annotation GrainlineTable/ },
  ])
})

t.test('columns and relationships that have no place are refused, and the rest is read', async (t) => {
  for (const [from, to, message] of [
    [
      'column Month = MONTH(Orders[ordered_on])',
      'column Month = FORMAT(Orders[ordered_on], "MMM")',
      /'Month' of 'Orders' is left out: the function FORMAT/,
    ],
    ['column Month = MONTH(Orders[ordered_on])', 'column Month = [Month] + 1', /'Month' of 'Orders' is left out/],
    ['dataType: boolean', 'dataType: binary', /the type 'binary' has no place/],
    ['fromColumn: Orders.customer_id', 'fromColumn: Orders.channel', /its columns have different types/],
    ['fromColumn: Orders.customer_id', 'fromColumn: Orders.nothing', /is no column of the model/],
    ['fromColumn: Orders.customer_id', 'fromColumn: Customers.City', /a table has no join to itself/],
    ['fromColumn: Orders.customer_id', 'fromColumn: Orders', /is no column/],
    ['column: City', 'column: Town', /The hierarchy 'Places' of 'Customers' is left out/],
    ['\tmeasure Buyers', '\tmeasure Revenue', /another measure has its name/],
    ['dataType: boolean', 'dataType: boolean\n\t\tsurprise: 1', /'surprise' of 'is_gift' is left out/],
  ] as const) {
    const read = await imported(changed(from, to))
    t.ok(
      refusals(read).some((loss) => message.test(loss.message) && loss.place),
      `${to}: ${JSON.stringify(refusals(read))}`,
    )
  }
})

t.test('the entity of a partition stands below its source, as Power BI writes it, or in the partition', async (t) => {
  const [flat, below] = [
    '\t\tentityName: customers\n\t\tschemaName: main',
    '\t\tsource\n\t\t\tentityName: customers\n\t\t\tschemaName: main',
  ]
  t.same(
    at(await imported(changed(flat, below)), 'dataObjects', 'Customers'),
    at(await imported(shop), 'dataObjects', 'Customers'),
  )
})

t.test('a function without a place is refused with what says nearly the same', async (t) => {
  for (const [dax, hint] of [
    ['DATEDIFF(Orders[ordered_on], Orders[ordered_on], DAY)', /date_diff\('day'/],
    ['FORMAT(Orders[ordered_on], "MMM")', /group by it at a grain/],
  ] as const) {
    const read = await imported(changed('column Month = MONTH(Orders[ordered_on])', `column Month = ${dax}`))
    t.ok(
      refusals(read).some((loss) => loss.message.includes(dax.replace(/\(.*/, '')) && hint.test(loss.hint ?? '')),
      `${dax}: ${JSON.stringify(refusals(read))}`,
    )
  }
})

t.test('texts are indented with tabs or spaces, and a long one is read in time', async (t) => {
  const spaced = await imported(shop.replaceAll('\t', '    ').replaceAll('\n', '\r\n'))
  t.same(at(spaced, 'metrics'), at(await imported(shop), 'metrics'))
  const inModel = `createOrReplace\n\n\tmodel Model\n\n\t\ttable A\n\t\t\tcolumn x\n\t\t\t\tdataType: int64\n\t\t\tpartition A = entity\n\t\t\t\tentityName: a\n`
  t.match(at(await imported(inModel), 'dimensions'), { 'A.x': { dataObject: 'A' } })
  for (const [text, message] of [
    ['table A\n\tmeasure m = ```\n\t\t1', /does not end/],
    ['table A\n\tisHidden\n\tisHidden', /written twice/],
    ['table A\n\t? what', /no object or property/],
    [Array.from({ length: 100 }, (_, i) => `${'\t'.repeat(i)}table a`).join('\n'), /More than 20 objects/],
  ] as const)
    t.match(await tmdl.read({ text }), { faults: [{ message, place: { line: Number } }] })
  const columns = Array.from({ length: 1000 }, (_, i) => `\tcolumn c${i}\n\t\tdataType: int64\n`).join('')
  const read = await imported(`table A\n${columns}\tpartition A = entity\n\t\tentityName: a\n`)
  t.equal(Object.keys(at(read, 'dimensions') as object).length, 1000)
  for (const file of ['tables/Orders.tmdl', 'model.tmdl']) t.ok(tmdl.files?.(file), file)
  for (const file of ['README.md', '.pbi/cache.tmdl', 'TMDLScripts/a.tmdl']) t.notOk(tmdl.files?.(file), file)
})

readsBroken({ what: 'models in TMDL', importer: tmdl, texts: [shop, days], service: (t) => serviceWith(t, tmdl) })
