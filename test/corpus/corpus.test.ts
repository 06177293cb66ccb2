/** Every question: the bytes of its SQL in each dialect, and its rows on DuckDB against hand-written SQL over the raw tables. */
import { deserialize, serialize } from 'node:v8'
import { DuckDBInstance } from '@duckdb/node-api'
import { builtInAggregates, builtInFunctions, parseQuery } from '@grainline/core'
import { OPERATORS, operatorOf, parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { parse } from 'yaml'
import type { Arrow } from '../../core/src/compile.js'
import { ask, difference, namesInStatement } from '../support/answers.js'
import { loadText } from '../support/compile.js'
import { deepCopy } from '../support/deep-copy.js'
import { type CompiledQuestion, compiledOnce, corpusModel } from './compiled-once.js'
import {
  compileFor,
  DIALECTS,
  dataSql,
  FURTHER_DIALECTS,
  modelText,
  readQuestions,
  readStatements,
  sqlOrRefusal,
} from './corpus.js'
import { reversed } from './reversed.js'

/** Copies are tested in two dialects: one that has every feature, and one whose statements are rewritten the most. */
const COPIED: ReadonlySet<string> = new Set(['duckdb', 'mysql'])

/** The result of each stage is a value: the next stage accepts a copy of it. */
const copy: Arrow = (_, value) => deepCopy(value)

const model = corpusModel()
/** Copied as between the workers of a server. */
const travelled = deserialize(serialize(model)) as typeof model
const questions = readQuestions()
const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.run(`SET TimeZone = 'UTC'; ${dataSql()}`)
t.teardown(() => connection.closeSync())

for (const { name, query, truth, ordered = false, sql } of questions) {
  t.test(name, async (t) => {
    for (const dialect of DIALECTS) {
      t.equal(compiledOnce(query, dialect).compiled?.sql, sql?.[dialect.name], `the SQL of ${dialect.name}`)
      if (!COPIED.has(dialect.name)) continue
      t.equal(compileFor(dialect, query, model, copy).sql, sql?.[dialect.name], `the same SQL of copies for ${dialect.name}`)
      t.equal(compileFor(dialect, query, travelled).sql, sql?.[dialect.name], 'the same SQL of a model that has travelled')
    }
    const { compiled } = compiledOnce(query, DIALECTS[0]!)
    if (!compiled) return t.fail('it is refused')
    const found = await ask(connection, compiled.sql)
    const wanted = await ask(connection, truth)
    t.ok(wanted.rows.length > 0, 'the truth has rows')
    t.equal(difference(found, { ...wanted, columns: found.columns }, ordered), undefined, 'the rows of the truth')
    t.same(namesInStatement(compiled.columns), found.columns, 'the columns announced are the columns delivered')
  })
}

/** As `sqlOrRefusal` writes it. */
const textOf = ({ compiled, error }: CompiledQuestion): string => compiled?.sql ?? `${error?.code}: ${error?.message}`

for (const dialect of FURTHER_DIALECTS) {
  t.test(`the SQL of ${dialect.name} is byte for byte the stored one`, async (t) => {
    const statements = readStatements(dialect)
    for (const { name, query } of questions) {
      t.equal(textOf(compiledOnce(query, dialect)), statements[name], name)
      if (COPIED.has(dialect.name)) t.equal(sqlOrRefusal(dialect, query, model, copy), statements[name], `${name}, of copies`)
    }
  })
}

t.test('the corpus uses every operator and every aggregation', async (t) => {
  t.ok(questions.length >= 60, `${questions.length} questions`)
  const asked = new Set(
    JSON.stringify(questions.map((q) => q.query))
      .match(/(?<="op":")[^"]+/g)
      ?.map(operatorOf),
  )
  t.same(
    Object.keys(OPERATORS).filter((operator) => !asked.has(operator as keyof typeof OPERATORS)),
    [],
  )
  const selected = new Set(questions.flatMap((q) => parseQuery(q.query).select.measures))
  const used = new Set([...selected].map((name) => model.measures.get(name)?.aggregation))
  t.same(
    [...builtInAggregates.keys()].filter((name) => !used.has(name)),
    [],
  )
  t.ok(builtInFunctions.size > 0)
})

t.test('the order of declarations changes no byte', async (t) => {
  const turned = parseModelSync({ json: reversed(parse(modelText())) })
  t.same(turned.errors, [])
  t.notSame([...turned.model!.measures.keys()], [...model.measures.keys()], 'the declarations are in another order')
  for (const { name, query, sql } of questions) t.equal(compileFor(DIALECTS[0]!, query, turned.model!).sql, sql?.['duckdb'], name)
})

t.test('a second compilation gives the same bytes', async (t) => {
  const again = loadText(modelText())
  for (const { name, query, sql } of questions) t.equal(compileFor(DIALECTS[0]!, query, again).sql, sql?.['duckdb'], name)
})
