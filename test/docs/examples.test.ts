import { readdirSync, readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { GrainlineError } from '../../core/src/errors.js'
import { ask } from '../support/answers.js'
import { compileFlights, modelFile, openFlights } from './flights.js'
import { asWritten, modelSnippets, type PageExample, pageExamples } from './page.js'

const docs = new URL('../../docs/', import.meta.url).pathname
const pages = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(docs + name, 'utf8') }))
const exampleModel: unknown = parse(readFileSync(modelFile, 'utf8'), { merge: true })
const connection = await openFlights()
t.teardown(() => connection.closeSync())

for (const { name: page, text } of pages) {
  for (const example of pageExamples(text)) {
    t.test(`docs/${page} tells the truth: ${example.name}`, (t) =>
      example.refused ? isRefused(t, example) : isAnswered(t, example),
    )
  }
  for (const snippet of modelSnippets(text)) {
    t.test(`docs/${page} shows the model of the example as it is`, (t) => {
      t.match(exampleModel, parse(snippet), 'every key of the page is in the model')
      t.end()
    })
  }
}

t.test('every marked question is found, so that none goes unchecked', (t) => {
  for (const { name, text } of pages) {
    t.equal(pageExamples(text).length, text.split('<!-- flights: ').length - 1, `questions of ${name}`)
    t.equal(modelSnippets(text).length, text.split('<!-- flights model -->').length - 1, `models of ${name}`)
  }
  t.ok(pages.flatMap(({ text }) => pageExamples(text)).length > 15)
  t.end()
})

async function isAnswered(t: Test, { query, warns, columns, rows }: PageExample): Promise<void> {
  const compiled = compileFlights(query)
  const answer = await ask(connection, compiled.sql)
  t.same(compiled.warnings.map(({ code }) => code).toSorted(), warns, 'the warnings')
  t.ok(rows.length > 0, 'the page shows an answer')
  t.same(answer.columns, columns, 'the columns of the page')
  t.same(
    answer.rows.map((row) => row.map(asWritten)),
    rows,
    'the rows of the page',
  )
}

async function isRefused(t: Test, { query, refused, rows }: PageExample): Promise<void> {
  t.equal(rows.length, 0, 'a refusal has no table')
  try {
    compileFlights(query)
    t.fail(`is answered, not refused with ${refused}`)
  } catch (error) {
    t.equal(error instanceof GrainlineError ? error.code : error, refused, 'the code of the refusal')
  }
}
