/** Search, lineage and diagrams over models with names of every kind. */
import t from 'tap'
import { erDiagram } from '../../core/src/discovery/er-diagram.js'
import { findFields } from '../../core/src/discovery/find-fields.js'
import { lineage } from '../../core/src/discovery/lineage.js'
import { likeness, wordsOf } from '../../core/src/words.js'
import { loadText, readModel } from '../support/compile.js'

const flights = readModel(new URL('../../examples/flights/model.yaml', import.meta.url).pathname)

const named = (object: string, column: string, changes: object = {}) =>
  loadText(
    JSON.stringify({
      version: 1,
      dataObjects: {
        [object]: { code: 't', columns: { [column]: { code: 'c', abstractType: 'string', primaryKey: true, ...changes } } },
      },
    }),
  )

t.test('a name is split into words in every naming style', (t) => {
  for (const text of ['Order Date', 'orderDate', 'order_date', 'ORDER-DATE']) t.same(wordsOf(text), ['order', 'date'], text)
  t.same(wordsOf('Société n°2'), ['societe', 'n', '2'])
  t.same(wordsOf('!?'), [])
  t.end()
})

t.test('a word matches its plural, its prefix and a typo, and not every short word', (t) => {
  t.ok(likeness('countries', 'country') > likeness('count', 'country'))
  t.ok(likeness('cuontry', 'country') > 0)
  t.equal(likeness('day', 'pay'), 0)
  t.equal(likeness('revenue', 'weather'), 0)
  t.end()
})

t.test('one word of a name finds the name', (t) => {
  const model = named('Customers', 'Country Name')
  t.match(findFields('country', model).fuzzy_matches, [
    { name: 'Customers.Country Name', kind: 'column', reason: "'country' is in its name" },
  ])
  t.match(findFields('contry', model).fuzzy_matches, [{ reason: "'country' in its name is like 'contry'" }])
  t.same(findFields('invoice', model).results, [])
  t.end()
})

t.test('matches of synonyms come before words, descriptions come last, and kinds can be selected', (t) => {
  const found = findFields('trips', flights)
  t.match(found.synonym_matches, [{ name: 'Flights', kind: 'data_object' }])
  t.match(
    findFields('minutes', flights).fuzzy_matches.find(({ name }) => name === 'Flights.Air Time'),
    {
      reason: "'minutes' is in its description",
    },
  )
  t.same([...new Set(findFields('delay', flights, ['column']).results.map(({ kind }) => kind))], ['column'])
  const scores = findFields('delay', flights).results.map(({ score }) => score)
  t.same(
    scores,
    scores.toSorted((a, b) => b - a),
  )
  t.end()
})

t.test('a whole sentence finds the fields that it mentions, and filler words find nothing', (t) => {
  const best = (question: string, kinds: readonly ('measure' | 'metric' | 'dimension')[] = ['measure', 'metric']) =>
    findFields(question, flights, kinds).results[0]
  t.match(best('How many flights did each airline have?'), { name: 'Flight Count', reason: 'the question speaks of its name' })
  t.match(best('Which airline flew the greatest distance?'), { name: 'Distance Flown' })
  t.match(best('How many of the flights were cancelled?'), { name: 'Cancelled Flights' })
  t.match(best('Which three manufacturers built the most planes?'), { name: 'Plane Count' })
  t.match(best('Which five airlines have the highest late rate?'), { name: 'Late Rate' })
  t.match(best('What is the longest delay at departure of each airline?'), { name: 'Longest Departure Delay' })
  t.match(best('How many flights did each carrier have?', ['dimension']), { name: 'Airline', matched: 'synonym' })
  t.same(findFields('what did they do for us there', flights, ['dimension', 'measure', 'metric']).results, [])
  t.end()
})

t.test('the number of results is bounded for any input', (t) => {
  const columns = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`amount ${i}`, { code: 'c', abstractType: 'int' }]))
  const model = loadText(JSON.stringify({ version: 1, dataObjects: { T: { code: 't', columns } } }))
  t.equal(findFields('amount', model).results.length, 50)
  t.same(findFields('!!!', model).results, [])
  t.ok(findFields(`${'word '.repeat(1000)}amount`, model).results.length <= 50)
  t.end()
})

t.test('lineage follows computed columns to the table, and lists each thing once', (t) => {
  const model = named('Things', 'Raw', {})
  t.equal(lineage('Raw', model), undefined, 'a column is no field')
  const dimension = [...flights.dimensions.values()].find(({ column }) => column === 'Distance Band')
  if (!dimension) throw new Error('the flights model has a dimension on Distance Band')
  const steps = lineage(dimension.name, flights)?.lineage.map(({ type, name }) => `${type} ${name}`) ?? []
  t.same(steps, ['column Flights.Distance Band', 'data_object Flights', 'column Flights.Distance', 'table flights'])
  for (const name of [...flights.dimensions.keys(), ...flights.measures.keys(), ...flights.metrics.keys()]) {
    const all = lineage(name, flights)!.lineage.map((step) => `${step.type} ${step.name}`)
    t.equal(new Set(all).size, all.length, name)
    t.ok(
      all.some((step) => step.startsWith('table ')),
      name,
    )
  }
  t.end()
})

t.test('no name can end its quotes in a diagram', (t) => {
  const hostile = [
    '"] {',
    '%%{init: {"theme":"dark"}}%%',
    'a\n    e9["b"]',
    '#quot;',
    '<img src=x onerror=alert(1)>',
    '\\',
    'PK',

    '日本',
  ]
  for (const name of hostile) {
    const text = erDiagram(named(name, name), { showColumns: true, theme: 'default' })
    const lines = text.trimEnd().split('\n')
    t.equal(lines.length, 4, text)
    t.match(lines[1], /^ {4}e1\["[^"%<>\\\n{}[\]]*"\] \{$/, name)
    t.match(lines[2], /^ {8}string [A-Za-z][A-Za-z0-9_]* PK( "[^"%<>\\{}]*")?$/, name)
    t.notMatch(lines[2], /^ {8}string PK /, 'a key word is no column')
  }
  t.end()
})

t.test('a diagram distinguishes optional, required, one-to-one and secondary joins', (t) => {
  const text = erDiagram(flights, { showColumns: false, theme: 'default' })
  t.match(text, /e\d+ \}o--o\| e\d+ : "Carrier"/)
  t.match(text, /e\d+ \}o\.\.o\| e\d+ : "at departure"/)
  t.equal(text.split('\n').filter((line) => /^ {4}e\d+\["/.test(line)).length, flights.dataObjects.size)
  t.end()
})
