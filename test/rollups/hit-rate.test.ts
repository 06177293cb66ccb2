/** Three rollup tables answer most questions of the flights. What each question would read is in the golden file; ROLLUPS_GOLDEN=write writes it. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { flightsWithRollups, lineOf, questions } from './hit-rate.js'

const golden = path.join(import.meta.dirname, 'hit-rate.golden.txt')
const model = flightsWithRollups()
const lines = questions().map((question) => lineOf(question, model))
const served = lines.filter(({ isServed }) => isServed).length
const text = `${lines.map(({ name, isServed, says }) => `${isServed ? '+' : '-'} ${name}: ${says}`).join('\n')}\n`

t.test('each question has its table, or the first reason of each table', (t) => {
  if (process.env['ROLLUPS_GOLDEN'] === 'write') writeFileSync(golden, text)
  t.equal(text, readFileSync(golden, 'utf8'))
  t.end()
})

t.test('three tables answer at least 60 % of the questions', (t) => {
  t.ok(served / lines.length >= 0.6, `${served} of ${lines.length}`)
  t.end()
})
