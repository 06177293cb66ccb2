import { readdirSync, readFileSync } from 'node:fs'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { SemanticModel } from '@grainline/core'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { GrainlineError } from '../../core/src/errors.js'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { ask } from '../support/answers.js'
import { compileFor } from '../support/compile.js'
import { compileFlights, modelFile, openFlights } from './flights.js'
import { asWritten, modelSnippets, type PageExample, pageBlock, pageExamples, pageTexts } from './page.js'

const docs = new URL('../../docs/', import.meta.url).pathname
const pages = [...readdirSync(docs), '../README.md']
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(docs + name, 'utf8') }))
/** The last example of a page, for its queries follow each other: its model and tables are loaded once. */
let last: { readonly page: string; readonly name: string; readonly loaded: Promise<OwnExample> } | undefined
const exampleModel: unknown = parse(readFileSync(modelFile, 'utf8'), { merge: true })
const connection = await openFlights()
t.teardown(() => connection.closeSync())
t.teardown(closeExample)

for (const { name: page, text } of pages) {
  for (const example of pageExamples(text)) {
    t.test(`docs/${page} shows correct results: ${example.name}`, (t) =>
      example.model === 'flights' ? isTrue(t, example, compileFlights, connection) : isTrueOfItsOwn(t, example, text),
    )
  }
  for (const { model, name, sql } of pageTexts(text)) {
    t.test(`docs/${page} shows SQL with the same answer: ${name}`, async (t) => {
      const { columns, rows } = pageExamples(text).find((example) => example.model === model && example.name === name)!
      const answer = await ask((await exampleOf(text, model)).tables, sql)
      t.equal(answer.columns.length, columns.length)
      t.same(
        answer.rows.map((row) => row.map(asWritten)),
        rows,
      )
    })
  }
  for (const snippet of modelSnippets(text)) {
    t.test(`docs/${page} shows the model of the example unchanged`, (t) => {
      t.match(exampleModel, parse(snippet), 'every key of the page is in the model')
      t.end()
    })
  }
}

t.test('every marked query is found and checked', (t) => {
  for (const { name, text } of pages) {
    t.equal(pageExamples(text).length, text.split(/<!-- \w+: /).length - 1, `questions of ${name}`)
    t.equal(modelSnippets(text).length, text.split('<!-- flights model -->').length - 1, `models of ${name}`)
  }
  t.ok(pages.flatMap(({ text }) => pageExamples(text)).length > 15)
  t.end()
})

type Compile = typeof compileFlights

function isTrue(t: Test, example: PageExample, compile: Compile, on: DuckDBConnection): Promise<void> {
  return example.refused ? isRefused(t, example, compile) : isAnswered(t, example, compile, on)
}

/** A query of the model on its page, over the tables of the same page. */
async function isTrueOfItsOwn(t: Test, example: PageExample, page: string): Promise<void> {
  const { model, tables } = await exampleOf(page, example.model)
  await isTrue(t, example, (query) => compileFor(query, model), tables)
}

interface OwnExample {
  readonly model: SemanticModel
  readonly tables: DuckDBConnection
}

function exampleOf(page: string, name: string): Promise<OwnExample> {
  if (last?.page !== page || last.name !== name) {
    void closeExample()
    last = { page, name, loaded: loadExample(page, name) }
  }
  return last.loaded
}

async function closeExample(): Promise<void> {
  await last?.loaded.then(
    ({ tables }) => tables.closeSync(),
    () => undefined,
  )
}

async function loadExample(page: string, name: string): Promise<OwnExample> {
  const { model, errors } = parseModelSync({ text: pageBlock(page, `${name} model`) })
  if (!model) throw new Error(errors.map((e) => `${e.path} ${e.message}`).join('; '))
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const tables = await instance.connect()
  await tables.run(pageBlock(page, `${name} tables`))
  return { model, tables }
}

async function isAnswered(
  t: Test,
  { query, warns, columns, rows }: PageExample,
  compile: Compile,
  connection: DuckDBConnection,
): Promise<void> {
  const compiled = compile(query)
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

async function isRefused(t: Test, { query, refused, rows }: PageExample, compile: Compile): Promise<void> {
  t.equal(rows.length, 0, 'a refusal has no table')
  try {
    compile(query)
    t.fail(`is answered, not refused with ${refused}`)
  } catch (error) {
    t.equal(error instanceof GrainlineError ? error.code : error, refused, 'the code of the refusal')
  }
}

t.test('the first query of README.md reads the flights and each joined table once', (t) => {
  const [, question = ''] = /-d '(\{"select".*\})'/.exec(pages.find(({ name }) => name === '../README.md')!.text) ?? []
  const { sql } = compileFlights(JSON.parse(question))
  t.same(sql.match(/(?<=FROM |JOIN )"\w+"/g), ['"flights"', '"airports"', '"hours"'], sql)
  t.notMatch(sql, /UNION|DISTINCT|WITH/)
  t.end()
})
