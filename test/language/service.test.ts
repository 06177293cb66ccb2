/** Completion, hover, definition, rename, outline and format, without a browser or an editor. `¦` marks the cursor. */
import { builtInAggregates, builtInFunctions } from '@grainline/core'
import { modelLanguage, parseModelSync } from '@grainline/core/unstable'
import {
  completionsAt,
  definitionAt,
  formatEdits,
  hoverAt,
  outlineOf,
  readModelText,
  referencesAt,
  renameAt,
  type TextEdit,
} from '@grainline/language'
import t from 'tap'
import { commerce } from '../support/model-faults.js'

const language = modelLanguage({ functions: builtInFunctions, aggregates: builtInAggregates })

/** The valid model with one passage as it is while the author types. */
function typed(from: string, to: string): { text: string; offset: number } {
  if (!commerce.includes(from)) throw new Error(`the model has no ${from}`)
  const marked = commerce.replace(from, () => to)
  return { text: marked.replace('¦', ''), offset: marked.indexOf('¦') }
}

const applied = (text: string, edits: readonly TextEdit[]): string =>
  edits.toSorted((a, b) => b.from - a.from).reduce((now, edit) => now.slice(0, edit.from) + edit.text + now.slice(edit.to), text)

interface Place {
  readonly where: string
  readonly was: string
  readonly typed: string
  /** Labels that must be among the offered ones. */
  readonly offers: readonly string[]
  readonly not?: readonly string[]
  /** The passage after the first offered completion is accepted. */
  readonly gives: string
}

const PLACES: readonly Place[] = [
  {
    where: 'a section',
    was: 'examples:',
    typed: 'seg¦\nexamples:',
    offers: ['segments', 'calendars', 'tests'],
    not: ['measures'],
    gives: 'segments: \nexamples:',
  },
  {
    where: 'a key of an object',
    was: '    code: orders\n',
    typed: '    code: orders\n    count¦\n',
    offers: ['countLabel', 'countable'],
    not: ['code', 'joins'],
    gives: '    code: orders\n    countLabel: \n',
  },
  {
    where: 'an empty line',
    was: 'aggregation: max\n',
    typed: 'aggregation: max\n    ¦\n',
    offers: ['total', 'grain', 'filters'],
    not: ['aggregation', 'expression'],
    gives: 'aggregation: max\n    total: \n',
  },
  {
    where: 'the first key of an entry',
    was: 'metrics:\n',
    typed: 'metrics:\n  New:\n    ty¦\n',
    offers: ['type', 'expression'],
    gives: 'metrics:\n  New:\n    type: \n',
  },
  {
    where: 'a key between braces',
    was: 'code: qty, abstractType: int}',
    typed: 'code: qty, abs¦}',
    offers: ['abstractType', 'sqlType'],
    not: ['code'],
    gives: 'code: qty, abstractType: }',
  },
  {
    where: 'a key that has its colon',
    was: 'aggregation: max\n',
    typed: 'agg¦: max\n',
    offers: ['aggregation'],
    gives: 'aggregation: max\n',
  },
  {
    where: 'a key of an item',
    was: '      - joinType: many-to-one\n',
    typed: '      - joinType: many-to-one\n        pa¦\n',
    offers: ['pathName'],
    not: ['joinTo'],
    gives: '      - joinType: many-to-one\n        pathName: \n',
  },
  {
    where: 'an aggregation',
    was: 'aggregation: sum',
    typed: 'aggregation: ¦',
    offers: ['median', 'count_distinct', 'sum'],
    gives: 'aggregation: median',
  },
  {
    where: 'a choice',
    was: 'joinType: many-to-one',
    typed: 'joinType: one¦',
    offers: ['one-to-one', 'many-to-one', 'many-to-many'],
    gives: 'joinType: one-to-one',
  },
  {
    where: 'a type',
    was: 'abstractType: timestamp',
    typed: 'abstractType: time¦',
    offers: ['timestamp_tz', 'date'],
    gives: 'abstractType: timestamp_tz',
  },
  {
    where: 'true or false',
    was: 'name: commerce',
    typed: 'name: commerce\nexposeCounts: ¦',
    offers: ['true', 'false'],
    gives: 'name: commerce\nexposeCounts: true',
  },
  { where: 'a grain', was: 'timeGrain: month', typed: 'timeGrain: q¦', offers: ['quarter', 'day'], gives: 'timeGrain: quarter' },
  {
    where: 'a data object',
    was: 'joinTo: Customers',
    typed: 'joinTo: Cu¦',
    offers: ['Customers', 'Orders'],
    gives: 'joinTo: Customers',
  },
  {
    where: 'columns here',
    was: 'columnsFrom: [Customer]',
    typed: 'columnsFrom: [¦]',
    offers: ['Customer', 'Amount', 'Total'],
    not: ['Country'],
    gives: 'columnsFrom: [Customer]',
  },
  {
    where: 'columns there',
    was: 'columnsTo: [Id]',
    typed: 'columnsTo: [I¦]',
    offers: ['Id', 'Country'],
    not: ['Amount'],
    gives: 'columnsTo: [Id]',
  },
  {
    where: 'a column of the object beside it',
    was: '    column: Country\n',
    typed: '    column: ¦\n',
    offers: ['Country', 'Doc'],
    not: ['Qty'],
    gives: '    column: Country\n',
  },
  {
    where: 'a column between braces',
    was: '{dataObject: Orders, column: Amount}',
    typed: '{dataObject: Orders, column: Am¦}',
    offers: ['Amount'],
    not: ['Country'],
    gives: '{dataObject: Orders, column: Amount}',
  },
  {
    where: 'a column in short',
    was: 'field: Orders.Qty, op: is_null',
    typed: 'field: Ord¦, op: is_null',
    offers: ['Orders.Qty', 'Customers.Country'],
    gives: 'field: Orders.Qty, op: is_null',
  },
  {
    where: 'an operator',
    was: 'operator: gte',
    typed: 'operator: b¦',
    offers: ['between', 'blank', 'equals'],
    gives: 'operator: between',
  },
  {
    where: 'a measure',
    was: 'measure: Revenue\n',
    typed: 'measure: ¦\n',
    offers: ['Revenue', 'Orders Count', 'Per Order'],
    not: ['Month'],
    gives: 'measure: Revenue\n',
  },
  {
    where: 'a time dimension',
    was: 'timeDimension: Month',
    typed: 'timeDimension: M¦',
    offers: ['Month'],
    not: ['Revenue'],
    gives: 'timeDimension: Month',
  },
  {
    where: 'a measure of an example',
    was: 'measures: [Revenue]',
    typed: 'measures: [¦]',
    offers: ['Per Order', 'Revenue'],
    not: ['Country'],
    gives: 'measures: [Per Order]',
  },
  {
    where: 'a function',
    was: "'{[Orders].[Amount]} * 2'",
    typed: "'coal¦'",
    offers: ['coalesce', 'round'],
    gives: "'coalesce('",
  },
  {
    where: 'an object in an expression',
    was: "'{[Orders].[Amount]} * 2'",
    typed: "'2 * {[Or¦'",
    offers: ['Orders', 'Customers'],
    gives: "'2 * {[Orders].['",
  },
  {
    where: 'a column in an expression',
    was: "'{[Orders].[Amount]} * 2'",
    typed: "'{[Orders].[¦'",
    offers: ['Amount', 'Qty'],
    not: ['Country'],
    gives: "'{[Orders].[Amount]}'",
  },
  {
    where: 'an expression without quotes',
    was: "'{[Orders].[Amount]} * 2'",
    typed: '1 + {[Customers].[¦',
    offers: ['Country'],
    gives: '1 + {[Customers].[Country]}',
  },
  {
    where: 'a column of the own object',
    was: '"{Amount} * {Qty}"',
    typed: '"{Amount} * {¦"',
    offers: ['Qty', 'Orders'],
    not: ['Total'],
    gives: '"{Amount} * {Qty}"',
  },
  {
    where: 'a measure in a formula',
    was: "'{[Revenue]} / {[Orders Count]}'",
    typed: "'{[Revenue]} / {[¦'",
    offers: ['Orders Count', 'Volume'],
    not: ['Country'],
    gives: "'{[Revenue]} / {[Orders Count]}'",
  },
]

t.test('completion offers what fits the position', async (t) => {
  for (const { where, was, typed: now, offers, not = [], gives } of PLACES) {
    await t.test(where, async (t) => {
      const { text, offset } = typed(was, now)
      const items = completionsAt(text, offset, language)
      const labels = items.map(({ label }) => label)
      for (const label of offers) t.ok(labels.includes(label), `${label} among ${labels.slice(0, 30)}`)
      for (const label of not) t.notOk(labels.includes(label), `no ${label}`)
      const chosen = items.find(({ label }) => label === offers[0])
      t.equal(
        chosen && applied(text, [{ ...chosen.span, text: chosen.text }]),
        commerce.replace(was, () => gives),
      )
    })
  }
})

t.test('nothing is offered where the author chooses a name, and no text causes an exception', async (t) => {
  const { text, offset } = typed('name: commerce', 'name: com¦')
  t.same(completionsAt(text, offset, language), [])
  for (let i = 0; i < commerce.length; i += 97) t.ok(Array.isArray(completionsAt(commerce.slice(0, i), i, language)), `at ${i}`)
})

const model = readModelText(commerce)
const at = (words: string, inner = words): number => commerce.indexOf(words) + words.indexOf(inner) + 1

t.test('hover explains names, keys and functions', async (t) => {
  const about = (offset: number, text = commerce) => hoverAt(readModelText(text), offset, language)?.text
  t.match(about(at('joinTo: Customers', 'Customers')), /\*\*Customers\*\* · data object[\s\S]*code: `customers`[\s\S]*3 columns/)
  t.match(about(at('{Amount} * {Qty}', 'Qty')), /\*\*Qty\*\* · column of Orders/)
  t.match(about(at('{[Revenue]} /', 'Revenue')), /\*\*Revenue\*\* · measure[\s\S]*aggregation: `sum`/)
  t.match(about(at('joinType: many')), /How many rows meet how many\.[\s\S]*`one-to-one`/)
  t.match(about(at('aggregation: max', 'max')), /\*\*max\*\* · 1 argument/)
  const { text, offset } = typed("'{[Orders].[Amount]} * 2'", "'coal¦esce({[Orders].[Amount]}, 0)'")
  t.match(about(offset, text), /\*\*coalesce\*\* · at least/)
  t.equal(about(at('version: 1.0', '1.0')), undefined)
})

t.test('go to definition finds the declaration of a name', async (t) => {
  const leads = (offset: number) => {
    const found = definitionAt(model, offset)
    return found && /^.*\n?.*/.exec(commerce.slice(found.from))![0].replace(/\s+/g, ' ')
  }
  t.equal(leads(at('joinTo: Customers', 'Customers')), 'Customers: code: customers')
  t.equal(
    leads(at('columnsTo: [Id]', 'Id')),
    'Id: {code: id, abstractType: int, primaryKey: true} Country: {code: country, abstractType: string}',
  )
  t.equal(
    leads(at('{[Orders].[Amount]} * 2', 'Amount')),
    'Amount: {code: amount, abstractType: float, sqlType: "decimal(18,2)", numClass: additive} Qty: {code: qty, abstractType: int}',
  )
  t.equal(leads(at('timeDimension: Month', 'Month')), 'Month: dataObject: Orders')
  t.equal(leads(at('{[Orders Count]}', 'Orders Count')), 'Orders: code: orders', 'a row count is declared with its object')
  t.equal(leads(at('version')), undefined)
})

t.test('find references lists every use of a name', async (t) => {
  t.equal(referencesAt(model, at('      Amount: {code', 'Amount')).length, 4)
  t.equal(referencesAt(model, at('  Customers:\n', 'Customers')).length, 5)
})

t.test('a model is valid after any rename', async (t) => {
  const places = [
    '  Customers:\n',
    '  Orders:\n',
    '      Country: {',
    '      Amount: {',
    '  Month:\n',
    '  Revenue:\n',
    '  Per Order:\n',
  ]
  for (const place of places) {
    for (const name of ['Plain', 'Two Words', "It's: #1, true?", 'A.b', 'no', 'Größe "x"']) {
      const renaming = renameAt(model, at(place, place.trim().split(':')[0]), name)
      const text = 'edits' in renaming ? applied(commerce, renaming.edits) : ''
      // The short form of a filter is split at the first dot; a name with a dot needs the long form.
      if (name === 'A.b' && place.includes('Orders')) continue
      t.same(parseModelSync({ text }).errors, [], `${place.trim()} as ${name}`)
    }
  }
})

t.test('columns that a window function names are renamed, and offered', async (t) => {
  const inside =
    "function: sum, column: Qty, partitionBy: [Customer], orderBy: [Ordered], filters: [{field: Qty, op: '>', value: 1}]"
  const text = commerce.replace('      Total:\n', `      So Far: {window: {${inside}}}\n      Total:\n`)
  t.same(parseModelSync({ text }).errors, [])
  for (const place of ['      Qty: {', '      Customer: {', '      Ordered: {', '  Orders:\n']) {
    const renaming = renameAt(readModelText(text), text.indexOf(place) + place.search(/\S/), 'Renamed')
    const renamed = 'edits' in renaming ? applied(text, renaming.edits) : ''
    t.same(parseModelSync({ text: renamed }).errors, [], place)
    t.match(renamed, 'Renamed')
  }
  const { text: asked, offset } = typed(
    '      Total:\n',
    '      So Far: {window: {function: row_number, orderBy: [¦]}}\n      Total:\n',
  )
  t.match(
    completionsAt(asked, offset, language).map(({ label }) => label),
    ['Id', 'Customer', 'Amount', 'Qty', 'Paid', 'Ordered', 'So Far', 'Total'],
  )
})

t.test('columns that name a unit are renamed', async (t) => {
  const text = commerce
    .replace(
      '      Total:\n',
      '      Currency: {code: currency, abstractType: string}\n      Fee: {code: fee, abstractType: float, unit: {column: Currency}}\n      Rate: {code: rate, abstractType: float, unit: "EUR/{Currency}"}\n      Total:\n',
    )
    .replace(
      'measures:\n',
      `measures:\n  Fees: {aggregation: sum, columns: [{dataObject: Orders, column: Qty}], unit: '{[Orders].[Currency]}'}\n`,
    )
  t.same(parseModelSync({ text }).errors, [])
  for (const place of ['      Currency: {', '  Orders:\n']) {
    const renaming = renameAt(readModelText(text), text.indexOf(place) + place.search(/\S/), 'Renamed')
    const renamed = 'edits' in renaming ? applied(text, renaming.edits) : ''
    t.same(parseModelSync({ text: renamed }).errors, [], place)
    t.equal(renamed.includes('[Currency]'), place.includes('Orders'), place)
  }
})

/** A table of days with terms and numbered days, lessons over time, and departments below each other. */
const SCHOOL = `version: 1
name: school
dataObjects:
  Days:
    code: days
    calendar: {key: Day, periods: {Term: 'own: 1', Year No: year}}
    uniqueKeys: [[Day No]]
    columns:
      Day: {code: day, abstractType: date, primaryKey: true}
      Day No: {code: day_no, abstractType: int}
      Term: {code: term, abstractType: string}
      Year No: {code: year_no, abstractType: int}
  Parts:
    code: parts
    columns:
      Part: {code: part, abstractType: int, primaryKey: true}
      Above: {code: above, abstractType: int}
  Tree: {closure: {dataObject: Parts, key: Part, parent: Above}}
  Fees:
    code: fees
    columns:
      Fee: {code: fee, abstractType: int, primaryKey: true}
      Since: {code: since, abstractType: date}
      Until: {code: until, abstractType: date}
      Noted: {code: noted, abstractType: date}
    joins:
      - {joinType: many-to-many, joinTo: Days, pathName: open, secondary: true, columnsFrom: [], columnsTo: [], during: {interval: here, from: Since, to: Until, time: Day}}
  Lessons:
    code: lessons
    columns:
      Id: {code: id, abstractType: int, primaryKey: true}
      Given: {code: given, abstractType: date}
    joins:
      - {joinType: many-to-one, joinTo: Days, columnsFrom: [Given], columnsTo: [Day]}
      - {joinType: many-to-one, joinTo: Fees, columnsFrom: [], columnsTo: [], during: {time: Given, from: Since, to: Until}}
      - {joinType: many-to-one, joinTo: Fees, pathName: near, secondary: true, columnsFrom: [], columnsTo: [], asOf: {time: Given, to: Noted}}
dimensions:
  Given: {dataObject: Lessons, column: Given}
  Term: {dataObject: Days, column: Term}
measures:
  Lessons Given: {aggregation: count, columns: [{dataObject: Lessons, column: Id}]}
metrics:
  A Term Before: {type: period_over_period, measure: Lessons Given, periodOverPeriod: {timeDimension: Given, offsetGrain: Term}}
`

t.test('columns of keys, intervals, calendars and trees are renamed', async (t) => {
  t.same(parseModelSync({ text: SCHOOL }).errors, [])
  const columns = [...SCHOOL.matchAll(/^ {6}(\w[\w ]*): \{code/gm)]
  t.equal(columns.length, 12)
  for (const { index, 1: name = '' } of columns) {
    const renaming = renameAt(readModelText(SCHOOL), index + 6, 'Renamed')
    const renamed = 'edits' in renaming ? applied(SCHOOL, renaming.edits) : ''
    t.same(parseModelSync({ text: renamed }).errors, [], name)
    t.match(renamed, 'Renamed')
  }
})

t.test('columns of periods are offered where periods are named', async (t) => {
  const at = (from: string, to: string) => {
    const marked = SCHOOL.replace(from, to)
    return completionsAt(marked.replace('¦', ''), marked.indexOf('¦'), language).map(({ label }) => label)
  }
  t.match(at('offsetGrain: Term', 'offsetGrain: ¦'), ['Term', 'second'])
  t.same(at('Year No: year}', '¦}'), ['Day', 'Day No', 'Year No'])
  t.same(at('key: Day,', 'key: ¦,'), ['Day', 'Day No', 'Term', 'Year No'])
  t.same(at('asOf: {time: Given, to: Noted}', 'asOf: {time: Given, to: ¦}'), ['Fee', 'Since', 'Until', 'Noted'])
})

t.test('names in tests for rows are renamed: their object, its columns, and whose row they connect with', async (t) => {
  const column = "Ordered: {exists: Orders, filters: [{field: Qty, op: '>', value: 1}, {expression: '{Qty} < 9'}]}"
  const test = "{field: Customers, op: exists, subquery: {dataObject: Orders, filter: [{field: Qty, op: '>', value: 1}]}}"
  const text = commerce
    .replace('      Doc: {code', `      ${column}\n      Doc: {code`)
    .replace(
      'measures:\n',
      `measures:\n  Kept: {aggregation: count, columns: [{dataObject: Orders, column: Id}], filters: [${test}]}\n`,
    )
  for (const [place, name] of [
    ['      Qty: {', 'Pieces'],
    ['  Customers:\n', 'Buyers'],
    ['  Orders:\n', 'Sales'],
  ] as const) {
    const renaming = renameAt(readModelText(text), text.indexOf(place) + place.search(/\S/), name)
    const renamed = 'edits' in renaming ? applied(text, renaming.edits) : ''
    t.same(parseModelSync({ text: renamed }).errors, [], name)
    t.match(renamed, name)
  }
})

t.test('a rename to a name that is taken, or cannot be written, is refused', async (t) => {
  t.match(renameAt(model, at('  Month:\n', 'Month'), 'Revenue'), { refused: /is there already/ })
  t.match(renameAt(model, at('  Month:\n', 'Month'), 'a]b'), { refused: /cannot be written/ })
  t.match(renameAt(model, at('  Month:\n', 'Month'), ' '), { refused: /must not be empty/ })
  t.match(renameAt(model, at('version'), 'x'), { refused: /no name here/ })
})

t.test('the outline lists the sections and names', async (t) => {
  const outline = outlineOf(model)
  t.same(
    outline.map(({ name, children }) => [name, children.map((child) => child.name)]),
    [
      ['dataObjects', ['Customers', 'Orders']],
      ['dimensions', ['Country', 'Month']],
      ['measures', ['Revenue', 'Volume', 'Countries']],
      ['metrics', ['Per Order', 'Running']],
      ['examples', ['one']],
    ],
  )
  t.same(
    outline[0]!.children[0]!.children.map(({ name, detail }) => `${name} ${detail}`),
    ['Id int', 'Country string', 'Doc json'],
  )
})

t.test('formatting changes only white space', async (t) => {
  const format = (text: string): string => applied(text, formatEdits(readModelText(text)))
  const wild = `# a model\nname: x   \n\n\n\ndataObjects:\n    # the first\n    A:\n          code: a  \n          columns:\n              B: { code: b }   # kept\n          joins:\n          - joinType: many-to-one\n            joinTo: A\nmeasures:\n   M:\n      aggregation: count\n      description: |\n          two  \n            lines\n      expression: >-\n          1 +\n\n          2\n`
  const neat = `# a model\nname: x\n\ndataObjects:\n  # the first\n  A:\n    code: a\n    columns:\n      B: { code: b }   # kept\n    joins:\n      - joinType: many-to-one\n        joinTo: A\nmeasures:\n  M:\n    aggregation: count\n    description: |\n        two  \n          lines\n    expression: >-\n        1 +\n\n        2\n`
  t.equal(format(wild), neat)
  t.equal(format(neat), neat, 'what is neat stays')
  t.equal(format(commerce), commerce)
  t.equal(format('a: [1'), 'a: [1', 'what is no YAML is left alone')
})
