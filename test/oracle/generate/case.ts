/** One generated case: a model, its rows and a question. */
import { evaluate, type Outcome } from '../evaluate.js'
import type { ModelJson, QueryJson, Tables } from '../model.js'
import { generateData } from './data.js'
import { generateModel } from './model.js'
import { generateQuery } from './query.js'
import { type Random, randomFrom } from './random.js'

export interface Case {
  readonly model: ModelJson
  readonly data: Tables
  readonly query: QueryJson
}

/** Case `index` of a run: the same seed, the same cases. */
export function generateCase(seed: number, index: number): Case & { readonly expected: Outcome } {
  const random = randomFrom(Math.imul(seed, 0x85ebca6b) + Math.imul(index + 1, 0xc2b2ae35))
  const model = generateModel(random)
  const data = generateData(random, model)
  return { model, data, ...answerable(random, model, data) }
}

/** Mostly a question that has an answer: refusals are worth testing, and easy to come by. */
function answerable(random: Random, model: ModelJson, data: Tables): { readonly query: QueryJson; readonly expected: Outcome } {
  let query = generateQuery(random, model)
  let expected = evaluate(model, data, query)
  for (let tries = random.chance(0.15) ? 0 : 4; tries > 0 && ('refused' in expected || expected.rows.length === 0); tries--) {
    query = generateQuery(random, model)
    expected = evaluate(model, data, query)
  }
  return { query, expected }
}
