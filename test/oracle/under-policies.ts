/** The oracle under generated row policies, for the long run of `nightly.ts`. */
import { restrictedModel } from '../../core/src/model/access.js'
import type { Asks } from './compiled.js'
import { NOW, parseModelJson } from './compiled.js'
import { evaluate } from './evaluate.js'
import { generateCase } from './generate/case.js'
import type { Later } from './generate/later.js'
import { type Policies, policiesFor } from './generate/policies-for.js'
import type { QueryJson } from './model.js'

const POLICIES = new WeakMap<QueryJson, Policies>()

/** The case with policies of its own. Its answer is that of the model without them over the tables from which the rows that they remove are gone. */
export function generateUnderPolicies(seed: number, index: number, later: readonly Later[]): ReturnType<typeof generateCase> {
  const one = generateCase(seed, index, later)
  const policies = policiesFor(seed, one, index)
  // The queries of a model share it, and each has its own policies.
  const query = { ...one.query }
  POLICIES.set(query, policies)
  return { ...one, query, expected: evaluate(one.model, one.data, query, NOW, policies.all) }
}

/** The model of the principal of a case, and its expected answer. A reduced query has lost its policies: it has their answer no more, so faults are reported whole. */
export const underPolicies: Asks = {
  modelOf: (document, query) => {
    const model = parseModelJson(document)
    const { rules = [] } = POLICIES.get(query) ?? {}
    const rows = rules.map((rule) => ({ ...rule, label: '' }))
    return restrictedModel(model, { rows, missing: [], withholdsSql: true })
  },
  answerTo: (document, tables, query) => evaluate(document, tables, query, NOW, POLICIES.get(query)?.all ?? []),
}
