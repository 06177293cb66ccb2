/**
 * A text that was imported and exported is the same text after another way: nothing grows, and nothing is lost, however often a model goes to and fro.
 * The first way may change a text: columns are called as in the database. INTERCHANGE_SEED selects other models, and INTERCHANGE_MODELS how many.
 */
import type { SemanticModel } from '@grainline/core'
import t, { type Test } from 'tap'
import { PART } from '../support/amount.js'
import { anyModel, modelsAsked } from './any-model.js'
import { modelOf } from './exported-models.js'
import { readBack, TRIPS, type Trip } from './round-trips.js'

t.setTimeout(600_000)

/** A quotient of quotients, of all columns, and one whose aggregates are no measures of their own. */
const RATIOS = `
version: 1
name: ratios
dataObjects:
  orders:
    code: orders
    columns:
      id: { code: id, abstractType: int, primaryKey: true }
      amount: { code: amount, abstractType: float }
      cost: { code: cost, abstractType: int }
      part: { expression: '{amount} / {cost} / 2', abstractType: float }
dimensions:
  Part: { dataObject: orders, column: part }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: orders, column: amount }] }
  Most: { aggregation: max, columns: [{ dataObject: orders, column: cost }] }
  Share: { aggregation: sum, expression: '{[orders].[amount]} / ({[orders].[cost]} + 1)' }
metrics:
  Average: { expression: '{[Revenue]} / {[orders Count]}' }
  Of All: { expression: '{[Average]} / ({[Most]} / {[Revenue]})' }
  Cast: { expression: 'CAST({[Most]} + 1 AS float) / CAST({[Revenue]} AS float)' }
`

/** The texts of what a text is imported as. */
async function again(text: string, trip: Trip, model: SemanticModel): Promise<readonly string[]> {
  const exported = await trip.exporter.write(await readBack(text, trip, model))
  return 'faults' in exported ? [JSON.stringify(exported.faults)] : trip.texts(exported)
}

/** Compares the texts of a model after one way and after two, and returns how many they are. */
async function same(t: Test, model: SemanticModel, trip: Trip, what: string): Promise<number> {
  const exported = await trip.exporter.write(model)
  if ('faults' in exported) return 0
  let count = 0
  for (const text of trip.texts(exported))
    for (const once of await again(text, trip, model)) {
      const twice = await again(once, trip, model)
      count++
      if (twice.length !== 1 || twice[0] !== once) t.same(twice, [once], `${what} as ${trip.exporter.name}`)
    }
  return count
}

t.test('what is imported and exported is the same text after another way', async (t) => {
  const seed = Number(process.env['INTERCHANGE_SEED'] ?? 39 + PART)
  t.comment(`INTERCHANGE_SEED=${seed}`)
  const models = modelsAsked(8)
  let texts = 0
  for (let at = 0; at < models; at++)
    for (const trip of TRIPS) texts += await same(t, anyModel(seed * 1000 + at), trip, `model ${at} of ${seed}`)
  t.comment(`${texts} texts of ${models} models`)
  t.ok(texts > models, `${texts} texts of ${models} models`)
})

for (const trip of TRIPS)
  t.test(`quotients in ${trip.exporter.name} are the same text at once`, async (t) => {
    const exported = await trip.exporter.write(modelOf(RATIOS))
    if ('faults' in exported) throw new Error(JSON.stringify(exported.faults))
    t.equal(exported.losses.filter(({ kind }) => kind === 'refused').length, 0)
    const [text = '', ...more] = trip.texts(exported)
    t.same(more, [])
    t.same(await again(text, trip, modelOf(RATIOS)), [text])
  })
