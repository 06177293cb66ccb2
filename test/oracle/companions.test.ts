/** Adding a one-to-one companion changes no existing answer: generated models with companions, compared with the same models without. */
import t from 'tap'
import { amount } from '../support/amount.js'
import { compareCase } from './compare.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { evaluate } from './evaluate.js'
import { generateCase } from './generate/case.js'
import { componentsOf } from './generate/later.js'
import { generateQuery } from './generate/query.js'
import { randomFrom } from './generate/random.js'
import type { JoinJson, ModelJson, ObjectJson } from './model.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
const CASES = 600

t.test(`adding a companion changes no answer (ORACLE_SEED=${seed})`, async (t) => {
  const engine = await openEngine()
  t.teardown(engine.close)
  const run = runOn(engine)
  let compared = 0
  for (let index = 0; index < CASES && t.passing(); index += amount(8, 4)) {
    const { model, data } = generateCase(seed, index, ['ways'])
    const whole = plain(model)
    const without = withoutCompanions(whole)
    if (Object.keys(without.dataObjects).length === Object.keys(whole.dataObjects).length) continue
    for (let n = 0; n < 6; n++) {
      const query = generateQuery(randomFrom(Math.imul(seed, 31) + index * 8 + n), without)
      // A path in any direction may lead through the companion as well, and is then refused.
      if (JSON.stringify(query).includes('"subquery"')) continue
      const before = evaluate(without, data, query)
      if ('refused' in before) continue
      const fault = await compareCase({ model: whole, data, query }, run, before)
      if (fault)
        t.fail(`case ${index}: ${fault.message}\n${JSON.stringify(query)}\n${fault.expected}\n--\n${fault.actual}\n${fault.sql}`)
      compared++
    }
  }
  t.ok(compared > amount(20, 40), `${compared} questions compared`)
})

const isCompanion = (name: string): boolean => name.startsWith('Extra ')

/** A companion that drops rows, or that represents the object in all its joins, is more than an addition. */
function plain(model: ModelJson): ModelJson {
  const dataObjects = Object.fromEntries(
    Object.entries(model.dataObjects).map(([name, object]) => {
      const joins = (object.joins ?? []).map((join) => (isOfCompanion(name, join) ? { ...join, required: false } : join))
      const declares = isCompanion(name) && joins.some((j) => j.joinType === 'one-to-one')
      return [name, { ...object, joins: declares ? joins.filter((j) => j.joinType === 'one-to-one') : joins }]
    }),
  )
  return { ...model, dataObjects, filters: (model.filters ?? []).filter((f) => !isCompanion(f.dataObject)) }
}

const isOfCompanion = (name: string, { joinTo }: JoinJson): boolean => isCompanion(name) || isCompanion(joinTo)

function withoutCompanions(model: ModelJson): ModelJson {
  const objects = Object.entries(model.dataObjects).filter(([name]) => !isCompanion(name))
  const dataObjects = Object.fromEntries(objects.map(([name, object]) => [name, apart(object)]))
  const mentions = (thing: unknown): boolean => JSON.stringify(thing).includes('Extra ')
  const dimensions = Object.fromEntries(Object.entries(model.dimensions ?? {}).filter(([, d]) => !mentions(d)))
  const measures = Object.fromEntries(Object.entries(model.measures ?? {}).filter(([, m]) => !mentions(m)))
  const known = new Set([...Object.keys(measures), ...Object.keys(dataObjects).map((o) => `${o} Count`)])
  const metrics = Object.fromEntries(
    Object.entries(model.metrics ?? {}).filter(([, m]) => componentsOf(m).every((c) => known.has(c))),
  )
  return { ...model, dataObjects, dimensions, measures, metrics }
}

const apart = ({ columns, joins = [], ...object }: ObjectJson): ObjectJson => ({
  ...object,
  columns: Object.fromEntries(Object.entries(columns).filter(([name]) => !name.includes('Extra '))),
  joins: joins.filter((j) => !isCompanion(j.joinTo)),
})
