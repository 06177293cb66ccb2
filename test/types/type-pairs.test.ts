import { DuckDBInstance } from '@duckdb/node-api'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { ask, type Cell } from '../support/answers.js'
import { compileFor } from '../support/compile.js'
import { choiceOf, comparisonOf, plainCell } from './pair-truth.js'
import { CHOSEN, COMPARED, chunksOf, modelOf, pairsOf, pairsTable, queryOf, typePairs, uncalled, verdict } from './type-pairs.js'

const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.run(`SET TimeZone = 'UTC'; ${pairsTable()}`)
t.teardown(() => connection.closeSync())

const all = typePairs()
const isRefused = (text: string): boolean => 'refused' in verdict(text)
const accepted = all.filter((text) => !isRefused(text))

/** The three values of each expression. */
async function valuesOf(expressions: readonly string[]): Promise<ReadonlyMap<string, readonly Cell[]>> {
  const found = new Map<string, readonly Cell[]>()
  for (const chunk of chunksOf(expressions)) {
    const { model, errors } = modelOf(chunk)
    if (!model) throw new Error(errors.map((e) => `${e.path}: ${e.message}`).join('\n'))
    const { rows } = await ask(connection, compileFor(queryOf(chunk), model, duckdb).sql)
    for (const [i, text] of chunk.entries())
      found.set(
        text,
        rows.map((row) => row[i] ?? null),
      )
  }
  return found
}

const answers = await valuesOf(accepted)

t.test('the table names every function, and every pair of types is answered or refused by name', async (t) => {
  t.same(uncalled(), [])
  t.ok(accepted.length > 3000 && all.length - accepted.length > 5000, `${accepted.length} of ${all.length} are answered`)
})

t.test('comparisons have the values of the table', async (t) => {
  for (const form of COMPARED)
    for (const { text, a, b } of pairsOf(form)) {
      const operator = form.split(' ')[1] ?? ''
      const truth = [0, 1, 2].map((row) => comparisonOf(operator, a, b, row))
      const possible = !truth.includes(undefined)
      if (possible !== !isRefused(text)) t.fail(`${text} is ${possible ? 'refused' : 'not refused'}`)
      else if (possible && JSON.stringify(answers.get(text)) !== JSON.stringify(truth))
        t.fail(`${text}: ${answers.get(text)}, not ${truth}`)
    }
})

t.test('choices have the values of the table', async (t) => {
  for (const form of CHOSEN)
    for (const { text, a, b } of pairsOf(form)) {
      const truth = [0, 1, 2].map((row) => choiceOf(form, a, b, row))
      if (truth.includes(undefined)) continue
      const found = answers.get(text)?.map((cell) => plainCell(cell, a, b))
      if (JSON.stringify(found) !== JSON.stringify(truth))
        t.fail(`${text}: ${JSON.stringify(found)}, not ${JSON.stringify(truth)}`)
    }
})

t.test('loading a model refuses what the table refuses, with the code, the path and the advice', async (t) => {
  for (const text of [
    '{x_date} + 1',
    '{x_timestamp} - {y_timestamp}',
    '{x_string} = 7',
    '{x_boolean} = 1',
    "{x_date} < 'soon'",
  ]) {
    const { model, errors } = modelOf([text])
    t.equal(model, undefined, text)
    const [error] = errors
    t.match(error, { code: 'EXPRESSION_TYPE_MISMATCH', path: 'dataObjects.Pairs.columns.e0.expression' })
    t.equal(error?.message, (verdict(text) as { refused: string }).refused)
  }
})

t.test('the advice of every refusal, applied, is answered', async (t) => {
  const advised = new Set<string>()
  for (const text of all) {
    const found = verdict(text)
    const advice = 'refused' in found ? /; write (.*)$/.exec(found.refused)?.[1] : undefined
    if (advice === undefined) continue
    if (isRefused(advice)) t.fail(`${text}: ${(verdict(advice) as { refused: string }).refused}`)
    // Only the data decides whether a text can be read, and how long a replaced text may be.
    else if (!/CAST\((\{[xy]_string\}|upper\()|^replace\(/.test(advice)) advised.add(advice)
  }
  t.ok(advised.size > 500, `${advised.size} pieces of advice`)
  await t.resolves(valuesOf([...advised]))
})
