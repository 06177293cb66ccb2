import t from 'tap'
import { commerce, edited, modelFaults } from '../../../test/support/model-faults.js'
import type { Finding } from '../errors.js'
import { loadModel } from './load-apart.js'
import { type LoadedModel, type LoadRequest, parseModelSync } from './load-model.js'
import { componentsOf } from './semantic-model.js'

const load = (request: LoadRequest | string): LoadedModel =>
  parseModelSync(typeof request === 'string' ? { text: request } : request)
const all = (loaded: LoadedModel): Finding[] => [...loaded.errors, ...loaded.warnings]

t.test('a valid model has no findings and is indexed', async (t) => {
  const { model, errors, warnings, health } = load(commerce)
  t.same([errors, warnings], [[], []])
  t.match(health, {
    status: 'ok',
    data_objects: 2,
    joins: 1,
    orphan_data_objects: [],
    unreachable_dimensions: [],
    warnings_count: 0,
  })
  t.same([...model!.measures.keys()], ['Revenue', 'Volume', 'Countries', 'Customers Count', 'Orders Count'])
  t.same(model!.dataObjects.get('Orders')!.columns.get('Total')!.type, { kind: 'decimal', precision: 37, scale: 2 })
  t.match(model!.measures.get('Revenue')!.filters[1], {
    kind: 'group',
    logic: 'or',
    filters: [{ operator: 'gt', values: [3] }, { operator: 'is_null' }],
  })
})

for (const [code, path, place, from, to] of modelFaults) {
  t.test(`${code} at ${path} is reported at '${place.trim()}'`, async (t) => {
    const text = edited(from, to)
    const found = all(load(text)).find((finding) => finding.code === code && finding.path === path)
    t.ok(found, `found ${all(load(text)).map((finding) => `${finding.code} ${finding.path}`)}`)
    const rest = text
      .split('\n')
      .slice(found!.line! - 1)
      .join('\n')
      .slice(found!.column! - 1)
    t.ok(rest.startsWith(place), `it points at ${rest.slice(0, 30)}`)
  })
}

t.test('a name that is nearly right is reported with the right one', async (t) => {
  const { errors } = load(edited('joinTo: Customers', 'joinTo: Customer'))
  t.match(errors[0], { code: 'UNKNOWN_JOIN_TARGET', suggestions: ['Customers'], message: /did you mean 'Customers'\?/ })
})

for (const key of ['as_of', 'asof', 'As Of']) {
  t.test(`a join by ${key} is refused, because without it the join would find other rows`, async (t) => {
    const { model, errors } = load(edited('joinTo: Customers', `joinTo: Customers\n        ${key}: { time: x, to: y }`))
    t.equal(model, undefined)
    t.match(errors, [{ code: 'UNKNOWN_PROPERTY', path: /^dataObjects\.Orders\.joins\[0\]/, suggestions: ['asOf'] }])
  })
}

for (const [title, type, said] of [
  ['one-to-one', 'one-to-one', /Make it many-to-one/],
  ['many-to-many', 'many-to-many', /Make it many-to-one/],
  ['beside during', 'many-to-one\n        during: {time: Ordered, from: Since, to: Since}', /has during and asOf/],
] as const) {
  t.test(`a join with asOf that is ${title} is refused`, async (t) => {
    const over = edited('joinType: many-to-one', `asOf: {time: Ordered, to: Since}\n        joinType: ${type}`)
    const since = 'Since: {code: s, abstractType: date}\n      Doc: {code: doc, abstractType: json}'
    const { errors } = load(over.replace('Doc: {code: doc, abstractType: json}', since))
    t.match(errors.find(({ code }) => code === 'INVALID_JOIN_PERIOD')?.message, said)
  })
}

t.test('a join with asOf to an object without key is refused: nothing decides between rows of one time', async (t) => {
  const over = edited('columnsTo: [Id]', 'columnsTo: [Id]\n        asOf: {time: Ordered, to: Since}')
  const keyless = over.replace(
    'Id: {code: id, abstractType: int, primaryKey: true}',
    'Id: {code: id, abstractType: int}\n      Since: {code: s, abstractType: date}',
  )
  t.match(load(keyless).errors, [{ code: 'INVALID_JOIN_PERIOD', message: /'Customers' has no key/ }])
})

for (const [key, meant] of [
  ['durring: {}', 'during'],
  ['during: { time: Ordered, from: Id, to: Id, includeEnd: true }', 'includesEnd'],
  ['asOf: { time: Ordered, to: Id, witin: 7 days }', 'within'],
] as const) {
  t.test(`a period with a slip in '${meant}' is refused, not ignored`, async (t) => {
    const { errors } = load(edited('joinTo: Customers', `joinTo: Customers\n        ${key}`))
    t.match(
      errors.filter(({ code }) => code === 'UNKNOWN_PROPERTY'),
      [{ suggestions: [meant], message: new RegExp(`did you mean '${meant}'`) }],
    )
  })
}

t.test('other unknown keys of a join are ignored with a warning', async (t) => {
  for (const key of ['constructor', 'owner']) {
    const { errors, warnings } = load(edited('joinTo: Customers', `joinTo: Customers\n        ${key}: 1`))
    t.same([errors, warnings.map(({ code }) => code)], [[], ['UNKNOWN_PROPERTY']], key)
  }
})

t.test('all errors are reported together', async (t) => {
  const text = edited('joinTo: Customers', 'joinTo: Nobody')
    .replace('aggregation: max', 'aggregation: maximum')
    .replace('value: 0', 'value: x')
  t.same(
    new Set(load(text).errors.map((error) => error.code)),
    new Set(['UNKNOWN_JOIN_TARGET', 'SCHEMA_VALIDATION', 'INVALID_FILTER_VALUE']),
  )
})

t.test('a thousand findings are listed, and the rest is counted', async (t) => {
  const wrong = Array.from({ length: 1_200 }, (_, i) => `  D${i}: {dataObject: Orders, column: Nothing}\n`).join('')
  const { errors } = load(commerce.replace('dimensions:\n', `dimensions:\n${wrong}`))
  t.equal(errors.length, 1_001)
  t.match(errors.at(-1), { message: /^200 more findings/ })
})

t.test('references to an invalid object cause no further errors', async (t) => {
  t.same(
    load(edited('code: customers', 'code: 5')).errors.map((error) => error.path),
    ['dataObjects.Customers.code'],
  )
})

t.test('a function outside the catalogue is a remark, and an error in portable mode', async (t) => {
  const text = edited('{[Orders].[Amount]} * 2', 'soundex({[Customers].[Country]})')
  t.match(load(text), { errors: [], warnings: [{ code: 'NON_PORTABLE_FUNCTION' }] })
  t.match(load(`${text}settings: {expressionMode: portable}\n`).errors, [{ code: 'NON_PORTABLE_FUNCTION' }])
})

t.test('several paths to an object are a remark on its dimensions', async (t) => {
  const star = (object: string, targets: readonly string[]) =>
    `  ${object}: {code: x, columns: {Id: {code: id, abstractType: int}}, joins: [${targets
      .map((to) => `{joinType: many-to-one, joinTo: ${to}, columnsFrom: [Id], columnsTo: [Id]}`)
      .join(', ')}]}\n`
  const text = `dataObjects:\n${star('A', ['B', 'C'])}${star('B', ['D'])}${star('C', ['D'])}${star('D', [])}dimensions: {X: {dataObject: D, column: Id}}\n`
  t.match(load(text), { errors: [], warnings: [{ code: 'MISSING_VIA', path: 'dimensions.X', suggestions: ['B', 'C'] }] })
  t.same(load(text.replace('column: Id}}\n', 'column: Id, via: B}}\n')).warnings, [])
})

t.test('a one-to-one join is not a cycle', async (t) => {
  const text = edited(
    'schema: public\n',
    'schema: public\n    joins: [{joinType: one-to-one, joinTo: Orders, columnsFrom: [Id], columnsTo: [Id]}]\n',
  )
  t.same(load(text.replace('many-to-one', 'one-to-one')).errors, [])
  t.match(load(text).errors, [{ code: 'CYCLIC_JOIN' }])
})

t.test('text that is not a document is refused with its position', async (t) => {
  const first = (text: string) => load(text).errors[0]!
  t.match(first('a: [1'), { code: 'YAML_PARSE_ERROR', line: 1 })
  t.match(first('a: 1\nb: 2\na: 3'), { code: 'YAML_PARSE_ERROR', line: 3, column: 1 })
  t.match(first('a: !evil 1'), { code: 'YAML_SAFETY_ERROR', line: 1, column: 4 })
  t.match(first('- 1'), { code: 'SCHEMA_VALIDATION' })
  t.match(first(''), { code: 'SCHEMA_VALIDATION' })
  t.match(first(`${'['.repeat(200)}${']'.repeat(200)}`), { code: 'YAML_SAFETY_ERROR' })
  t.match(first(`a: ${'x'.repeat(5_000_001)}`), { code: 'YAML_SAFETY_ERROR' })
  t.match(first('a: &a [*a]'), { code: 'YAML_SAFETY_ERROR' })
  t.match(first(`filters: [${'1,'.repeat(10_001)}]`), { code: 'YAML_SAFETY_ERROR', message: /more than 10000 entries/ })
  t.match(load({ json: { filters: Array(10_001).fill(1) } }).errors, [{ code: 'YAML_SAFETY_ERROR' }])
  const bomb = Array.from(
    { length: 30 },
    (_, i) =>
      `k${i}: &k${i} [${
        i === 0
          ? 'x'
          : Array(9)
              .fill(`*k${i - 1}`)
              .join(', ')
      }]`,
  ).join('\n')
  t.match(first(bomb), { code: 'YAML_SAFETY_ERROR' })
})

t.test('__proto__ is an ordinary name and changes nothing else', async (t) => {
  const { model, errors } = load(commerce.replace('  Country:\n    dataObject', '  __proto__:\n    dataObject'))
  t.same(errors, [])
  t.ok(model!.dimensions.has('__proto__'))
  t.equal(({} as Record<string, unknown>).dataObject, undefined)
  t.match(load({ json: JSON.parse('{"dataObjects": {}, "__proto__": {"polluted": true}}') }).warnings, [
    { code: 'UNKNOWN_PROPERTY' },
  ])
})

t.test('JSON as an object, as text and YAML give the same model', async (t) => {
  const document = load(commerce).model!.document
  const hashes = [{ text: commerce }, { json: document }, { json: JSON.stringify(document) }].map(
    (request) => load(request).model!.contentHash,
  )
  t.equal(new Set(hashes).size, 1)
  t.match(load({ json: '{"a": 1,}' }).errors, [{ code: 'YAML_PARSE_ERROR' }])
  t.match(load({ json: [] }).errors, [{ code: 'SCHEMA_VALIDATION' }])
})

t.test('the content hash depends on content, not on the order of keys', async (t) => {
  const hash = (json: unknown) => load({ json }).model!.contentHash
  const [a, b] = [{ code: 'a' }, { code: 'b' }]
  t.equal(hash({ version: 1, dataObjects: { a, b } }), hash({ dataObjects: { b, a }, version: 1 }))
  t.not(hash({ dataObjects: { a } }), hash({ dataObjects: { a: b } }))
})

t.test('fragments are merged in order and may not replace or add objects', async (t) => {
  const fragment = 'measures:\n  Cheapest: {columns: [{dataObject: Orders, column: Amount}], aggregation: min}\n'
  const { model, errors } = load({ text: commerce, extends: [fragment] })
  t.same(errors, [])
  t.ok(model!.measures.has('Cheapest'))
  t.match(load({ text: commerce, extends: [fragment, fragment] }).errors, [
    { code: 'DUPLICATE_IDENTIFIER', path: 'measures.Cheapest', line: 2, message: /extends\[1\].*extends\[0\]/ },
  ])
  t.match(load({ text: commerce, extends: [fragment.replace('Cheapest', 'Country')] }).errors, [
    { code: 'DUPLICATE_IDENTIFIER', message: /'dimensions' of the document/ },
  ])
  t.match(load({ text: commerce, extends: ['dataObjects: {}'] }).errors, [{ code: 'INVALID_SETTING' }])
  t.match(load({ text: commerce, extends: [fragment.replace('Amount', 'Amout')] }).errors, [
    { code: 'UNKNOWN_COLUMN', line: 2, context: { source: 'extends[0]' } },
  ])
})

t.test('a child inherits everything and may not redefine it', async (t) => {
  const parent = load(commerce).model!.document
  const child = 'name: child\ninherits: base\nmetrics:\n  Twice: {expression: "{[Revenue]} * 2"}\n'
  const { model, errors } = load({ text: child, parent })
  t.same(errors, [])
  t.match(model, { name: 'child' })
  t.same([model!.dataObjects.size, model!.metrics.size], [2, 3])
  t.match(load({ text: 'measures: {Revenue: {aggregation: count, anchor: Orders}}', parent }).errors, [
    { code: 'DUPLICATE_IDENTIFIER', path: 'measures.Revenue', message: /inherits/ },
  ])
})

t.test('row counts are named by label, by pattern, or not offered', async (t) => {
  const names = (text: string) =>
    [...load(text).model!.measures.values()].filter((m) => m.rowCountOf !== undefined).map((m) => m.name)
  t.same(
    names(
      edited('code: customers', 'code: customers\n    countLabel: Buyers')
        .replace('[Orders Count]', '[# Orders]')
        .replace('name:', "countLabelPattern: '# {object}'\nname:"),
    ),
    ['Buyers', '# Orders'],
  )
  t.same(names(edited('code: customers', 'code: customers\n    countable: false')), ['Orders Count'])
  t.match(load(`exposeCounts: false\n${commerce}`).errors, [{ code: 'UNKNOWN_MEASURE_REF' }])
})

t.test(
  'measures on the one side without a key are a fan trap risk, and unreachable objects make dimensions unreachable',
  async (t) => {
    const text = edited(
      'Id: {code: id, abstractType: int, primaryKey: true}\n      Country',
      'Id: {code: id, abstractType: int}\n      Country',
    )
    const far = text.replace(
      'dataObjects:\n',
      'dataObjects:\n  Far: {code: far, columns: {X: {code: x, abstractType: string}}}\n',
    )
    const { health } = load(far.replace('dimensions:\n', 'dimensions:\n  X: {dataObject: Far, column: X}\n'))
    t.match(health, {
      status: 'warnings',
      fan_trap_risks: [{ tables: ['Customers', 'Orders'] }],
      unreachable_dimensions: ['X'],
      orphan_data_objects: ['Far'],
    })
  },
)

t.test('a dimension behind a declared bridge is reachable', async (t) => {
  const text = edited(
    'dataObjects:\n',
    `dataObjects:
  People: {code: people, columns: {Id: {code: id, abstractType: int, primaryKey: true}, Name: {code: name, abstractType: string}}}
  Contacts:
    code: contacts
    bridge: true
    columns: {Customer: {code: c, abstractType: int}, Person: {code: p, abstractType: int}}
    joins:
      - {joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id]}
      - {joinType: many-to-one, joinTo: People, columnsFrom: [Person], columnsTo: [Id]}
`,
  ).replace('dimensions:\n', 'dimensions:\n  Person: {dataObject: People, column: Name}\n')
  t.match(load(text).health, { unreachable_dimensions: [], orphan_data_objects: [] })
})

t.test('every kind of metric is accepted as documented', async (t) => {
  const metrics = `
  Growth: {type: period_over_period, expression: '{[Revenue]}', periodOverPeriod: {timeDimension: Month, grain: month, offset: -1, offsetGrain: year, comparison: percentChange}}
  Rank: {type: window, windowFunction: rank, measure: Revenue, orderDirection: desc, partitionBy: [Country]}
  Rolling: {type: cumulative, measure: Revenue, timeDimension: Month, window: 3, cumulativeType: avg}
  Typical: {type: aggregate, measure: Revenue, aggregation: avg, per: [Country]}
  Converted: {type: conversion, base: Orders Count, conversion: Customers Count, entity: Country, window: 7d, calculation: rate}
`
  const { model, errors } = load(commerce.replace('metrics:\n', `metrics:${metrics}`))
  t.same(errors, [])
  const growth = model!.metrics.get('Growth')!
  t.match(growth, {
    type: 'period_over_period',
    offset: -1,
    offsetGrain: 'year',
    comparison: 'percentChange',
    timeDimension: 'Month',
  })
  t.same(componentsOf(growth), ['Revenue'])
  t.equal(growth.format, '0.0%', 'a change in percent is displayed as a percentage')
  t.match(model!.metrics.get('Rank'), { function: 'rank', descending: true, partitionBy: ['Country'], offset: 1 })
  t.match(model!.metrics.get('Rolling'), { window: 3, cumulativeType: 'avg', partitionBy: undefined })
})

t.test('a window over all times has no beginning, so it cannot be full', (t) => {
  const metric = 'Full: {type: cumulative, measure: Revenue, timeDimension: Month, onlyFull: true'
  const { errors } = load(commerce.replace('metrics:\n', `metrics:\n  ${metric}}\n`))
  t.match(errors, [{ code: 'INVALID_METRIC', path: 'metrics.Full.onlyFull', message: /add 'window' or 'grainToDate'/ }])
  for (const more of ['window: 3', 'grainToDate: year']) {
    const { model } = load(commerce.replace('metrics:\n', `metrics:\n  ${metric}, ${more}}\n`))
    t.match(model?.metrics.get('Full'), { onlyFull: true })
  }
  t.end()
})

t.test('a large text is parsed in a thread, with the same result', async (t) => {
  const text = `${commerce}# ${'x'.repeat(250_000)}\n`
  const loaded = await loadModel({ text })
  t.equal(loaded.model!.contentHash, load(commerce).model!.contentHash)
  const broken = await loadModel({ text: text.replace('joinTo: Customers', 'joinTo: Nobody') })
  t.match(broken.errors, [{ code: 'UNKNOWN_JOIN_TARGET', line: 24, column: 17 }])
  t.match((await loadModel({ text: `${text}\n  - ]` })).errors, [{ code: 'YAML_PARSE_ERROR' }])
})

t.test('large sections pass between threads completely and in order', async (t) => {
  const dimensions = Array.from({ length: 6_000 }, (_, i) => `  Dimension ${i}: {dataObject: Orders, column: Qty}\n`).join('')
  const { model, errors } = await loadModel({ text: commerce.replace('dimensions:\n', `dimensions:\n${dimensions}`) })
  t.same(errors, [])
  t.equal([...model!.dimensions.keys()][5_999], 'Dimension 5999')
})

t.test('an entry of a wrong shape is ignored, wherever it is', async (t) => {
  const joins = Array.from({ length: 1500 }, () => ({ joinType: 'many-to-one', joinTo: 'Sales' }))
  const { model, errors } = parseModelSync({ json: { ...TINY, dataObjects: { Sales: { ...TINY.dataObjects.Sales, joins } } } })
  t.equal(model, undefined)
  t.match(errors[0], { code: 'SCHEMA_VALIDATION', path: 'dataObjects.Sales.joins[0]', message: "'columnsFrom' is missing" })
  t.match(errors.at(-1), { message: '2000 more findings are not listed; at most 1000 errors and as many warnings are' })
})

t.test('an error is reported, however many warnings there are', async (t) => {
  const unknown = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`zz${i}`, 1]))
  const { columns } = TINY.dataObjects.Sales
  const shape = parseModelSync({ json: { ...TINY, dataObjects: { Sales: { ...unknown, code: 7, columns } } } })
  t.equal(shape.model, undefined)
  t.match(shape.errors, [{ code: 'SCHEMA_VALIDATION', path: 'dataObjects.Sales.code' }, { message: /^500 more findings/ }])
  t.equal(shape.warnings.length, 1000)
})

const TINY = {
  version: 1,
  name: 'tiny',
  dataObjects: { Sales: { code: 'sales', columns: { Id: { code: 'id', abstractType: 'int' } } } },
  dimensions: { Id: { dataObject: 'Sales', column: 'Id' } },
}
