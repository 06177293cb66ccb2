/** Which path is chosen if there are several between two objects, and what messages say about it (decisions 1 and 2). */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor, refusalOf } from '../support/compile.js'

const columns = (...names: readonly string[]) => ({
  Id: { code: 'id', abstractType: 'int', primaryKey: true },
  Name: { code: 'name', abstractType: 'string' },
  ...Object.fromEntries(names.map((n) => [n, { code: n.toLowerCase(), abstractType: 'int' }])),
})
const join = (joinTo: string, from: string, more = {}) => ({
  joinType: 'many-to-one',
  joinTo,
  columnsFrom: [from],
  columnsTo: ['Id'],
  ...more,
})
const oneToOne = (joinTo: string, from: string) => join(joinTo, from, { joinType: 'one-to-one' })

type Objects = Readonly<Record<string, readonly [columns: readonly string[], joins: readonly object[]]>>

/** Every object has a dimension with its name. */
function read(objects: Objects) {
  const names = Object.keys(objects)
  return parseModelSync({
    json: {
      dataObjects: Object.fromEntries(
        names.map((n) => [n, { code: n.toLowerCase(), columns: columns(...objects[n]![0]), joins: objects[n]![1] }]),
      ),
      dimensions: Object.fromEntries(names.map((n) => [`${n} Name`, { dataObject: n, column: 'Name' }])),
    },
  })
}

function modelOf(objects: Objects) {
  const { model, errors } = read(objects)
  if (!model) throw new Error(errors.map((e) => e.message).join('; '))
  return model
}

const counted = (object: string, by: string) => ({ select: { dimensions: [`${by} Name`], measures: [`${object} Count`] } })

const sales: Objects = {
  Sales: [
    ['Customer', 'Item'],
    [join('Customers', 'Customer'), join('Items', 'Item')],
  ],
  Customers: [['Address'], [join('Addresses', 'Address')]],
  Items: [[], []],
  Addresses: [[], []],
}
const returned: Objects = {
  ...sales,
  Sales: [
    ['Customer', 'Item', 'Return'],
    [join('Customers', 'Customer'), join('Items', 'Item'), oneToOne('Returns', 'Return')],
  ],
  Returns: [
    ['Customer', 'Address'],
    [join('Customers', 'Customer'), join('Addresses', 'Address')],
  ],
}

t.test('other paths have precedence over paths through a one-to-one companion', async (t) => {
  const question = counted('Sales', 'Addresses')
  t.equal(compileFor(question, modelOf(returned)).sql, compileFor(question, modelOf(sales)).sql, 'as without the companion')
})

const shipped: Objects = {
  Orders: [
    ['Country', 'Customer'],
    [join('Countries', 'Country'), join('Customers', 'Customer')],
  ],
  Customers: [['Country'], [join('Countries', 'Country')]],
  Countries: [[], []],
}

t.test('a path that a rule chose is reported once for each pair, at loading and in explanations', async (t) => {
  const { model, warnings } = read(shipped)
  t.match(warnings, [
    {
      code: 'SEVERAL_PATHS',
      path: 'dataObjects.Orders',
      message:
        /'Countries' is read from 'Orders' by its own join; 'Customers' also leads there but is not used.*second data object/,
    },
  ])
  t.equal(warnings.length, 1)
  const { explain } = compileFor(counted('Orders', 'Countries'), model!)
  t.match(explain().joins, [
    {
      to_object: 'Countries',
      role: 'countries',
      way: ['Orders', 'Countries'],
      reason: /'Customers' would lead to 'Countries', too/,
    },
  ])
  t.same(
    read(returned).warnings.map((w) => [w.code, w.path, /^'\w+'/.exec(w.message)?.[0]]),
    [
      ['SEVERAL_PATHS', 'dataObjects.Sales', "'Customers'"],
      ['SEVERAL_PATHS', 'dataObjects.Sales', "'Addresses'"],
      ['SEVERAL_PATHS', 'dataObjects.Returns', "'Customers'"],
      ['SEVERAL_PATHS', 'dataObjects.Returns', "'Addresses'"],
    ],
  )
})

t.test('a path that follows from the path to the object before is reported, too', async (t) => {
  const { model, warnings } = read({
    Sales: [
      ['Customer', 'Order'],
      [join('Customers', 'Customer'), join('Orders', 'Order')],
    ],
    Orders: [['Customer'], [join('Customers', 'Customer')]],
    Customers: [['Address'], [join('Addresses', 'Address')]],
    Addresses: [[], []],
  })
  t.same(
    warnings.map((w) => w.message.slice(0, w.message.indexOf(';'))),
    ["'Customers' is read from 'Sales' by its own join", "'Addresses' is read from 'Sales' by the path through 'Customers'"],
  )
  const { joins } = compileFor(counted('Sales', 'Addresses'), model!).explain()
  t.match(joins, [{ to_object: 'Customers' }, { to_object: 'Addresses', way: ['Sales', 'Customers', 'Addresses'] }])
})

t.test('a warning names two measures that read a dimension on different paths', async (t) => {
  const question = { select: { dimensions: ['Countries Name'], measures: ['Orders Count', 'Customers Count'] } }
  const { warnings } = compileFor(question, modelOf(shipped))
  t.match(warnings, [
    {
      code: 'DIMENSION_READ_DIFFERENTLY',
      path: 'select.dimensions[0]',
      message: /for 'Orders' it is read by 'Orders' → 'Countries', and for 'Customers' by 'Customers' → 'Countries'/,
    },
  ])
  t.equal(warnings.length, 1)
  const agreed = { select: { dimensions: ['Addresses Name'], measures: ['Sales Count', 'Customers Count'] } }
  t.same(compileFor(agreed, modelOf(sales)).warnings, [])
  const beside = modelOf({
    Orders: [['To Customers'], [join('Customers', 'To Customers')]],
    Totals: [['To Customers'], [oneToOne('Customers', 'To Customers')]],
    Customers: [[], []],
  })
  const companion = { select: { dimensions: ['Customers Name'], measures: ['Orders Count', 'Totals Count'] } }
  t.same(compileFor(companion, beside).warnings, [], 'a companion of what both read lies on no way to it')
})

t.test('an expression on an object that does not reach its fields causes a warning when the model loads', async (t) => {
  const json = {
    dataObjects: {
      Sales: {
        code: 'sales',
        columns: { Shop: { code: 'shop', abstractType: 'int' }, Customer: { code: 'customer', abstractType: 'int' } },
        joins: [join('Shops', 'Shop'), join('Customers', 'Customer')],
      },
      Shops: {
        code: 'shops',
        columns: { ...columns(), Near: { expression: '{Name} = {[Customers].[Name]}', abstractType: 'boolean' } },
      },
      Customers: { code: 'customers', columns: columns() },
    },
    dimensions: { Pair: { dataObject: 'Shops', expression: '{[Shops].[Name]} || {[Customers].[Name]}' } },
  }
  const { model, warnings } = parseModelSync({ json })
  t.match(
    warnings.filter((w) => w.code === 'NO_JOIN_PATH'),
    [
      {
        path: 'dataObjects.Shops.columns.Near.expression',
        message: /reads 'Customers', which 'Shops' does not reach; 'Sales' reaches both: declare it there/,
      },
      { path: 'dimensions.Pair.expression', message: /'Sales' reaches both/ },
    ],
  )
  const refusal = refusalOf({ select: { dimensions: ['Pair'], measures: ['Sales Count'] } }, model!)
  t.match(refusal, { code: 'NO_JOIN_PATH', message: /'Sales' reaches both: declare the expression there/ })
})

t.test('a companion that is on the only path is used', async (t) => {
  const only: Objects = {
    ...returned,
    Sales: [
      ['Item', 'Return'],
      [join('Items', 'Item'), oneToOne('Returns', 'Return')],
    ],
  }
  t.match(compileFor(counted('Sales', 'Customers'), modelOf(only)).sql, /"returns"/)
})

t.test('two equally good paths are refused as ambiguous', async (t) => {
  const several: Objects = {
    Orders: [
      ['Shop', 'Customer'],
      [join('Shops', 'Shop'), join('Customers', 'Customer')],
    ],
    Shops: [['Country'], [join('Countries', 'Country')]],
    Customers: [['Country'], [join('Countries', 'Country')]],
    Countries: [[], []],
  }
  t.match(refusalOf(counted('Orders', 'Countries'), modelOf(several)), {
    code: 'AMBIGUOUS_JOIN',
    message: /through 'Shops' or 'Customers'; give the dimension '.*' a via, such as via: Shops/,
  })
})

t.test('a pinned self-join is refused with advice', async (t) => {
  const staff: Objects = { Staff: [['Boss'], [join('Staff', 'Boss', { secondary: true, pathName: 'reports_to' })]] }
  const { model, warnings } = read(staff)
  t.match(warnings, [{ code: 'SELF_JOIN', path: 'dataObjects.Staff.joins[0]', message: /second data object/ }])
  const pins = [{ source: 'Staff', target: 'Staff', path_name: 'reports_to' }]
  t.match(refusalOf({ ...counted('Staff', 'Staff'), use_path_names: pins }, model!), {
    code: 'SELF_JOIN',
    message: /second data object on the same table/,
  })
  const primary = read({ Staff: [['Boss'], [join('Staff', 'Boss')]] })
  t.match(primary.errors, [{ code: 'CYCLIC_JOIN', message: /'Staff' joins itself; declare a second data object/ }])
})
