/** A mistake in access rules is an error when the model is loaded, and never a rule that does nothing. */
import t from 'tap'
import { hiddenName } from '../../core/src/hidden-name.js'
import { withoutFields } from '../../core/src/model/hide.js'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { MODEL } from './shop.js'

type Edit = readonly [was: string | RegExp, is: string]

const edited = (...edits: readonly Edit[]): string =>
  edits.reduce((text, [was, is]) => {
    const next = text.replace(was, is)
    if (next === text) throw new Error(`the model has no ${was}`)
    return next
  }, MODEL)

const errorsOf = (text: string) => parseModelSync({ text }).errors.map(({ code, message }) => `${code} ${message}`)

t.test('the model of these tests loads', async (t) => {
  const { model, errors } = parseModelSync({ text: MODEL })
  t.same(errors, [])
  t.match(model?.access, { unbound: ['Products'], sql: ['developer'] })
  t.same(
    model?.access?.rows.map(({ name, dataObject, unless, reads }) => [name, dataObject, unless, reads]),
    [
      ['own regions', 'Customers', ['auditor', 'admin'], ['regions']],
      ['regions', 'Regions', ['auditor', 'admin'], ['regions']],
    ],
  )
})

const FIRST = 'where: { field: Customers.Region, op: in, value: { attribute: regions } }'
const refused: Readonly<Record<string, readonly [Edit, RegExp]>> = {
  'an unknown key': [['  unbound: [Products]', '  unbound: [Products]\n  masks: []'], /UNKNOWN_PROPERTY 'masks'/],
  'a key of a later step': [['  unbound: [Products]', '  unbound: [Products]\n  masks: []'], /UNKNOWN_PROPERTY 'masks'/],
  'a rule that hides nothing': [
    ['  unbound: [Products]', '  unbound: [Products]\n  fields: [{ hide: [] }]'],
    /SCHEMA_VALIDATION/,
  ],
  'an unknown key of a rule on fields': [
    ['  unbound: [Products]', '  unbound: [Products]\n  fields: [{ hide: [Revenue], exept: [hr] }]'],
    /UNKNOWN_PROPERTY 'exept'/,
  ],
  'an unknown hidden field': [
    ['  unbound: [Products]', '  unbound: [Products]\n  fields: [{ hide: [Customers.Zipp] }]'],
    /UNKNOWN_ACCESS_FIELD 'Customers.Zipp'.*'Customers.Zip'/,
  ],
  'a published field that is no measure': [
    ['  unbound: [Products]', '  unbound: [Products]\n  fields: [{ hide: [Customers.Zip], publish: [Zip No] }]'],
    /UNKNOWN_ACCESS_FIELD 'Zip No'/,
  ],
  'an unknown key of a policy': [
    ['label: Your regions, dataObject: Customers', 'lable: Your regions, dataObject: Customers'],
    /UNKNOWN_PROPERTY 'lable'/,
  ],
  'an unknown key of a condition': [[FIRST, FIRST.replace('op:', 'or_missing: true, op:')], /UNKNOWN_PROPERTY 'or_missing'/],
  'rows of an object by no way': [[FIRST, 'where: { exists: Products }'], /NO_JOIN_PATH 'Customers' and 'Products'/],
  'rows of an unknown object': [[FIRST, 'where: { exists: Order }'], /UNKNOWN_DATA_OBJECT 'Order'.*'Orders'/],
  'rows of the object itself': [[FIRST, 'where: { exists: Customers }'], /INVALID_FILTER_VALUE .*'Customers', whose own rows/],
  'rows by an unknown join': [[FIRST, 'where: { exists: Orders, pathName: referer }'], /UNKNOWN_PATH_NAME.*'referer'/],
  'rows within rows': [
    [FIRST, 'where: { exists: Orders, filters: [{ exists: Regions }] }'],
    /INVALID_FILTER_OPERATOR .*inside another exists/,
  ],
  'conditions that the rows do not reach': [
    [FIRST, "where: { exists: Orders, filters: [{ field: Products.Id, op: '=', value: 1 }] }"],
    /NO_JOIN_PATH 'Orders' does not reach 'Products'/,
  ],
  'rows of which a parameter decides': [
    [
      /^dimensions:/m,
      "filters: [{ dataObject: Orders, column: Amount, operator: '>', value: { parameter: Least } }]\nparameters: { Least: { type: int, default: 1 } }\ndimensions:",
    ],
    /PARAMETER_IN_POLICY .*'Orders'.*'Least'/,
  ],
  'the absence of rows': [[FIRST, 'where: { nonexists: Orders }'], /POLICY_NEEDS_DENIES_BY .*'nonexists'/],
  'a negative operator within rows': [
    [FIRST, "where: { exists: Orders, filters: [{ field: Amount, op: '<>', value: 1 }] }"],
    /POLICY_NEEDS_DENIES_BY .*'<>'/,
  ],
  'an expression with an attribute': [
    [FIRST, "where: { expression: '{[Customers].[Region]} = {@regions}' }, deniesBy: true"],
    /PARAMETER_IN_POLICY|INVALID|UNKNOWN|EXPRESSION/,
  ],
  'two conditions in one': [
    [FIRST, FIRST.replace('op: in', 'filters: [{ field: Customers.Region, op: in, value: { attribute: regions } }], op: in')],
    /SCHEMA_VALIDATION .*'field' and 'filters'/,
  ],
  'a negated test for rows': [[FIRST, 'where: { exists: Orders, negated: true }'], /SCHEMA_VALIDATION .*'exists' and 'negated'/],
  'a group of nothing': [[FIRST, 'where: { logic: and, filters: [] }'], /SCHEMA_VALIDATION/],
  'a misspelt section': [[/^access:/m, 'acess:'], /UNKNOWN_PROPERTY 'acess'.*'access'/],
  'an empty section': [[/^access:[\s\S]*/m, 'access:\n'], /SCHEMA_VALIDATION 'access'/],
  'no rows': [[/ {2}rows:\n(?: {4}-.*\n)+/, '  rows:\n'], /SCHEMA_VALIDATION 'rows' has no value/],
  'an unknown attribute': [
    [FIRST, FIRST.replace('attribute: regions', 'attribute: region')],
    /UNKNOWN_ATTRIBUTE 'region'.*'regions'/,
  ],
  'an unknown object': [['dataObject: Customers, where', 'dataObject: Custmers, where'], /UNKNOWN_DATA_OBJECT 'Custmers'/],
  'an object that it does not reach': [
    [FIRST, 'where: { field: Orders.Amount, op: ">", value: 5 }'],
    /NO_JOIN_PATH 'Customers' does not reach 'Orders'/,
  ],
  'an attribute of another type': [['type: string, list: true', 'type: int, list: true'], /INVALID_FILTER_VALUE .*int.*string/],
  'a list where one value belongs': [[FIRST, FIRST.replace('op: in', "op: '='")], /takes none/],
  'a negative operator': [
    [FIRST, FIRST.replace('op: in', 'op: not_in')],
    /POLICY_NEEDS_DENIES_BY 'not_in'|POLICY_NEEDS_DENIES_BY/,
  ],
  'a negated group': [
    [FIRST, 'where: { negated: true, filters: [{ field: Customers.Region, op: in, value: { attribute: regions } }] }'],
    /POLICY_NEEDS_DENIES_BY/,
  ],
  'an expression': [[FIRST, "where: { expression: '{[Customers].[Region]} <> {[Customers].[Name]}' }"], /POLICY_NEEDS_DENIES_BY/],
  'a parameter': [
    [FIRST, FIRST.replace('attribute: regions', 'parameter: regions')],
    /UNKNOWN_PROPERTY 'parameter'|SCHEMA_VALIDATION/,
  ],
  'a day that is none': [
    [FIRST, 'where: { field: Customers.Name, op: ">", value: { relative: tomorow } }'],
    /SCHEMA_VALIDATION 'tomorow' is not 'today'/,
  ],
  'a day compared with a text': [
    [FIRST, 'where: { field: Customers.Name, op: ">", value: { relative: today } }'],
    /INVALID_FILTER_VALUE .*date.*string/,
  ],
  'a day and an attribute at once': [
    [FIRST, 'where: { field: Customers.Region, op: "=", value: { relative: today, attribute: regions } }'],
    /SCHEMA_VALIDATION In place of a value/,
  ],
  'an object that no policy binds': [['  unbound: [Products]\n', ''], /POLICY_DOES_NOT_BIND No policy binds 'Products'/],
  'an object with measures that no policy binds': [
    [
      'columnsFrom: [Customer Id], columnsTo: [Id], foreignKey',
      'columnsFrom: [Customer Id], columnsTo: [Id], secondary: true, pathName: buyer, foreignKey',
    ],
    /POLICY_DOES_NOT_BIND No policy binds 'Orders' \(read by 'Revenue'.*\).*with exists/,
  ],
  'an unbound object that does not exist': [
    ['unbound: [Products]', 'unbound: [Products, Product]'],
    /UNKNOWN_DATA_OBJECT 'Product'/,
  ],
  'another object on the table': [
    [
      '  Products:\n',
      '  Twins:\n    code: customers\n    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Region: { code: region, abstractType: string } }\n    joins: [{ joinType: many-to-one, joinTo: Regions, columnsFrom: [Region], columnsTo: [Name] }]\n  Products:\n',
    ],
    /POLICY_MISSES_TABLE 'Twins' reads the table of 'Customers'/,
  ],
  'SQL text': [
    [
      '  Products:\n',
      '  Twins:\n    code: "(SELECT * FROM customers)"\n    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Region: { code: region, abstractType: string } }\n    joins: [{ joinType: many-to-one, joinTo: Regions, columnsFrom: [Region], columnsTo: [Name] }]\n  Products:\n',
    ],
    /POLICY_MISSES_TABLE 'Twins' is SQL text/,
  ],
  'two policies of one name': [['name: regions, label', 'name: own regions, label'], /DUPLICATE_IDENTIFIER/],
  'a column that reads a parameter': [
    [
      /access:\n {2}attributes[\s\S]*?rows:\n/,
      "parameters: { Rate: { type: int, default: 1 } }\naccess:\n  attributes: { regions: { type: string, list: true } }\n  rows:\n    - { name: p, dataObject: Orders, where: { field: Orders.Scaled, op: '>', value: 1 } }\n",
    ],
    /PARAMETER_IN_POLICY The policy reads the parameter 'Rate'/,
  ],
}
for (const [name, [edit, message]] of Object.entries(refused)) {
  t.test(`${name} is refused`, async (t) => {
    const edits: Edit[] =
      name === 'rows of which a parameter decides'
        ? [[FIRST, 'where: { exists: Orders }'], edit]
        : name === 'a column that reads a parameter'
          ? [['      Amount: {', "      Scaled: { expression: '{Amount} * {@Rate}', abstractType: int }\n      Amount: {"], edit]
          : [edit]
    const errors = errorsOf(edited(...edits))
    t.ok(
      errors.some((error) => message.test(error)),
      errors.join('\n') || 'the model loads',
    )
  })
}

t.test('a table is the same with its schema, as the table of a rollup, and under a policy on another table', async (t) => {
  const joined = 'joins: [{ joinType: many-to-one, joinTo: Regions, columnsFrom: [Region], columnsTo: [Name] }]'
  const twins = (table: string, more = joined) =>
    `  Twins:\n    ${table}\n    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Region: { code: region, abstractType: string } }\n    ${more}\n  Products:\n`
  const found = (...edits: readonly Edit[]) => errorsOf(edited(...edits))
  for (const table of ['{schema: main, code: customers}', '{database: shop, schema: main, code: Customers}'])
    t.match(found(['  Products:\n', twins(table.slice(1, -1).replaceAll(', ', '\n    '))]), [
      /POLICY_MISSES_TABLE 'Twins'.*'Customers'/,
    ])
  const schemas: Edit = ['    code: customers\n', '    code: customers\n    schema: sales\n']
  t.same(found(schemas, ['  Products:\n', twins('code: customers\n    schema: archive')]), [], 'two schemas are two tables')
  t.match(found(['  Products:\n', twins('code: orders')]), [
    /'Twins' reads the table of 'Orders', and the policies on 'Customers' do not bind/,
  ])
  const rollup: Edit = [
    'examples:',
    'rollups: { Daily: { dataObject: Orders, dimensions: [Region], measures: [Revenue] } }\nexamples:',
  ]
  t.match(found(rollup, ['  Products:\n', twins('code: daily')]), [/POLICY_MISSES_TABLE 'Twins' reads the table of 'Orders'/])
  t.same(found(rollup, ['  Products:\n', twins('code: other')]), [])
  const seen: Edit = ['unbound: [Products]', 'unbound: [Products, Twins]']
  t.same(found(['  Products:\n', twins('code: orders')], seen), [], 'its author says that everybody may see it')
  const role = 'joins: [{ joinType: many-to-one, joinTo: Customers, columnsFrom: [Id], columnsTo: [Id] }]'
  t.same(found(['  Products:\n', twins('code: orders', role)]), [], 'by another way it is bound as that way says')
})

t.test('what is meant loads', async (t) => {
  const loads: readonly Edit[] = [
    [FIRST, `${FIRST.replace('op: in', 'op: not_in')}, deniesBy: true`],
    [FIRST, "where: { field: Customers.Name, op: '=', value: { principal: name } }"],
    [FIRST, "where: { exists: Orders, filters: [{ field: Amount, op: '>', value: 1 }] }"],
    [FIRST, 'where: { exists: Orders, pathName: referrer }'],
    [FIRST, 'where: { nonexists: Orders }, deniesBy: true'],
  ]
  for (const edit of loads) t.same(errorsOf(edited(edit)), [], edit[1])
})

t.test('a fragment has no rules, under no spelling', async (t) => {
  for (const key of ['access', 'acess', 'Access']) {
    const errors = errorsOf(`${MODEL}extends: ['${key}: { sql: [sales] }']\n`).join('\n')
    t.match(errors, new RegExp(`'${key}' of extends|'${key}' is not a key`), errors)
  }
})

t.test('a child adds rules and removes none', async (t) => {
  const parent = parseModelSync({ text: MODEL }).model!.document
  const child = (access: string) => parseModelSync({ text: `version: 1\nname: child\n${access}`, parent })
  t.equal(child('').model?.access?.rows.length, 2, 'it has those of its parent')
  const added = child(
    "access: { rows: [{ name: big, dataObject: Orders, where: { field: Orders.Amount, op: '<', value: 50 } }], sql: [sales] }",
  )
  t.same(added.errors, [])
  t.same(
    added.model?.access?.rows.map(({ name }) => name),
    ['own regions', 'regions', 'big'],
  )
  t.same(added.model?.access?.sql, [], 'only roles that both list')
  t.match(child('access: { rows: [] }').model?.access?.rows.length, 2)
})

const HIDES = (rule: string): Edit => ['  unbound: [Products]', `  unbound: [Products]\n  fields: [${rule}]`]

t.test('what reads a hidden column is hidden, unless it is published', async (t) => {
  const named = (rule: string) => {
    const { model, errors } = parseModelSync({ text: edited(HIDES(rule)) })
    t.same(errors, [], rule)
    const [{ hidden } = { hidden: undefined }] = model?.access?.fields ?? []
    return hidden && [...[...hidden.columns].map((key) => key.replace('\0', '.')), ...hidden.fields].sort()
  }
  t.same(named('{ hide: [Customers.Zip] }'), ['Customers.Zip', 'Customers.Zip No', 'Zip No'])
  t.same(named('{ hide: [Orders.Amount] }'), ['Average', 'Orders.Amount', 'Revenue'])
  t.same(named('{ hide: [Orders.Amount], publish: [Average] }'), ['Orders.Amount', 'Revenue'])
  t.same(named('{ hide: [Orders.Amount], publish: [Revenue] }'), ['Orders.Amount'], 'what reads a published measure is shown')
  t.same(named('{ hide: [Revenue] }'), ['Average', 'Revenue'])
})

t.test(
  'whatever is computed from a hidden column is hidden: bins, windows, tests for rows, orders, closures and segments',
  async (t) => {
    const text = `
version: 1
dataObjects:
  Teams:
    code: teams
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Has Rich: { exists: People, filters: [{ field: Pay, op: '>', value: 9 }] }
      Has People: { exists: People }
  People:
    code: people
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Team: { code: team, abstractType: int }
      Boss: { code: boss, abstractType: int }
      Name: { code: name, abstractType: string }
      Pay: { code: pay, abstractType: int }
      Place: { window: { function: row_number, orderBy: [Pay] } }
      Number: { window: { function: row_number, orderBy: [Id] } }
    joins: [{ joinType: many-to-one, joinTo: Teams, columnsFrom: [Team], columnsTo: [Id] }]
  Above: { closure: { dataObject: People, key: Id, parent: Boss } }
dimensions:
  Band: { dataObject: People, column: Pay, bins: { size: 1000 } }
  Place: { dataObject: People, column: Place }
  Number: { dataObject: People, column: Number }
  Has Rich: { dataObject: Teams, column: Has Rich }
  Has People: { dataObject: Teams, column: Has People }
  Name: { dataObject: People, column: Name, sortBy: Pay }
segments: { Rich: { filters: [{ field: Band, op: '>', value: 1 }] }, All: { filters: [{ field: Number, op: '>', value: 0 }] } }
access: { fields: [{ hide: [People.Pay, People.Boss] }] }`
    const { model, errors } = parseModelSync({ text })
    t.same(errors, [])
    const hidden = model?.access?.fields[0]?.hidden
    t.same([...(hidden?.fields ?? [])].sort(), ['Band', 'Has Rich', 'Place'])
    t.same([...(hidden?.segments ?? [])], ['Rich'])
    const view = withoutFields(model!, hidden!, (name) => hiddenName(Buffer.from(name).toString('hex').padEnd(32, '0')))
    t.same([...view.dimensions.keys()].sort(), ['Has People', 'Name', 'Number'])
    t.equal(view.dimensions.get('Name')?.sortBy, undefined, 'nothing shows its order')
    t.notOk(view.dataObjects.has('Above'))
  },
)

t.test('rules that show what they seem to hide have a warning', async (t) => {
  const warned = (...edits: readonly Edit[]) =>
    parseModelSync({ text: edited(...edits) }).warnings.flatMap(({ code }) => (code === 'ORPHAN_DATA_OBJECT' ? [] : [code]))
  t.same(warned(HIDES('{ hide: [Region] }')), ['COLUMN_NOT_HIDDEN'])
  t.same(warned(HIDES('{ hide: [Region, Customers.Region] }')), [])
  const aggregated = (name: string): Edit => ['column: Amount }], aggregation: sum', `column: Amount }], aggregation: ${name}`]
  const ofOneRow = ['min', 'max', 'any_value', 'mode', 'median', 'percentile, percentile: 0.9', 'listagg', 'first', 'last']
  for (const name of ofOneRow) {
    const ordered = /first|last/.test(name) ? `${name}, orderBy: [{ column: { dataObject: Orders, column: Id } }]` : name
    t.same(warned(aggregated(ordered), HIDES('{ hide: [Orders.Amount], publish: [Revenue] }')), ['PUBLISHES_VALUES'], name)
    t.same(
      warned(aggregated(ordered), HIDES('{ hide: [Orders.Amount], publish: [Average] }')),
      ['PUBLISHES_VALUES'],
      `${name} in a metric`,
    )
  }
  t.same(warned(HIDES('{ hide: [Orders.Amount], publish: [Revenue] }')), [])
})

t.test('a child hides more, and shows nothing that its parent hides', async (t) => {
  const parent = parseModelSync({ text: edited(HIDES('{ hide: [Customers.Zip] }')) }).model!.document
  const child =
    'version: 1\nname: child\ndimensions: { Postal: { dataObject: Customers, column: Zip } }\naccess: { fields: [{ hide: [Revenue], publish: [Average] }] }'
  const { model, errors } = parseModelSync({ text: child, parent })
  t.same(errors, [])
  t.same(
    model?.access?.fields.map(({ hidden }) => [...hidden.fields].sort()),
    [['Postal', 'Zip No'], ['Revenue']],
  )
})

t.test('a conversion along a time that it does not name is hidden with that time', async (t) => {
  const text = (conversion: string) => `
version: 1
dataObjects:
  Visits:
    code: visits
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Person: { code: person, abstractType: int }
      Seen: { code: seen, abstractType: timestamp }
dimensions: { Person: { dataObject: Visits, column: Person }, Seen: { dataObject: Visits, column: Seen } }
measures:
  Starts: { columns: [{ dataObject: Visits, column: Id }], aggregation: count }
  Ends: { columns: [{ dataObject: Visits, column: Id }], aggregation: count }
metrics:
  Converted: { type: conversion, base: Starts, conversion: Ends, entity: Person, window: 7d${conversion} }
access: { fields: [{ hide: [Visits.Seen] }] }`
  for (const conversion of ['', ', timeDimension: Seen']) {
    const { model, errors } = parseModelSync({ text: text(conversion) })
    t.same(errors, [])
    t.same([...(model?.access?.fields[0]?.hidden.fields ?? [])], ['Seen', 'Converted'])
  }
})

t.test('what a policy looks into is hidden with all objects that have its rows', async (t) => {
  const { model, errors } = parseModelSync({
    text: `
version: 1
dataObjects:
  Projects: { code: projects, columns: { Id: { code: id, abstractType: int, primaryKey: true } } }
  Grants:
    code: grants
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      From: { code: from_id, abstractType: int }
      Project: { code: project, abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: Projects, columnsFrom: [Project], columnsTo: [Id] }]
  Twins: { code: GRANTS, columns: { Who: { code: who, abstractType: string } } }
  Passed On: { closure: { dataObject: Grants, key: Id, parent: From } }
access:
  rows: [{ name: granted, dataObject: Projects, where: { exists: Grants } }]
  unbound: [Twins]
`,
  })
  t.same(errors, [])
  const [policy] = model?.access?.rows ?? []
  t.same([...(policy?.hidden.objects ?? [])].sort(), ['Grants', 'Passed On', 'Twins'])
})

t.test('a policy looks for no rows through the days of a calendar that never ends', async (t) => {
  const days = (calendar: string) => `
version: 1
dataObjects:
  Days: { calendar: ${calendar}, columns: {} }
  Sales: { code: sales, columns: { On: { code: day, abstractType: date } }, joins: [{ joinType: many-to-one, joinTo: Days, columnsFrom: [On], columnsTo: [Date] }] }
  Returns: { code: returns, columns: { On: { code: day, abstractType: date } }, joins: [{ joinType: many-to-one, joinTo: Days, columnsFrom: [On], columnsTo: [Date] }] }
access: { rows: [{ name: a, dataObject: Sales, where: { exists: Returns } }], unbound: [Returns] }`
  t.match(errorsOf(days('{ grain: day }')), [/CALENDAR_RANGE_REQUIRED .*'Days', a calendar without 'from' and 'to'/])
  t.match(errorsOf(days("{ grain: day, from: '2024-01-01' }")), [/CALENDAR_RANGE_REQUIRED/])
  const bounded = days("{ grain: day, from: '2024-01-01', to: '2024-12-31' }")
  t.same(errorsOf(bounded), [])
  const timed = bounded.replace('abstractType: date', 'abstractType: timestamp')
  t.match(errorsOf(timed), [/INVALID_FILTER_VALUE .*by the day of a time/], 'every query would choose the zone of the day')
})
