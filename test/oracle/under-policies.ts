/** The oracle under generated row policies, for the long run of `nightly.ts`. */
import { restrictedModel } from '../../core/src/model/access.js'
import { type Asks, asEverybody, NOW, parseModelJson } from './compiled.js'
import { evaluate } from './evaluate.js'
import { generateCase } from './generate/case.js'
import type { Later } from './generate/later.js'
import { type Policies, policiesFor } from './generate/policies-for.js'
import type { QueryJson } from './model.js'

/** A reduced query is a copy of the query, with what is at this key. */
const POLICIES = Symbol('policies')

type Restricted = QueryJson & { readonly [POLICIES]?: Policies }

const policiesOf = (query: Restricted): Policies | undefined => query[POLICIES]

/** The case with policies of its own. Its answer is that of the model without them over the tables from which the rows that they remove are gone. */
export function generateUnderPolicies(seed: number, index: number, later: readonly Later[]): ReturnType<typeof generateCase> {
  const one = generateCase(seed, index, later)
  const policies = policiesFor(seed, one, index)
  const query: Restricted = { ...one.query, [POLICIES]: policies }
  return { ...one, query, expected: evaluate(one.model, one.data, query, NOW, policies.all) }
}

/** The model of the principal of a case, and its expected answer. */
export const underPolicies: Asks = {
  modelOf: (document, query) => {
    const model = parseModelJson(document)
    const { rules = [] } = policiesOf(query) ?? {}
    const rows = rules.map((rule) => ({ ...rule, label: '' }))
    return restrictedModel(model, { rows, missing: [], withholdsSql: true })
  },
  answerTo: (document, tables, query) => evaluate(document, tables, query, NOW, policiesOf(query)?.all ?? []),
  conditionsOf: (query) => policiesOf(query)?.all ?? [],
}

/** The cases that ORACLE_POLICIES asks for, and for whom. */
export const askedCases = () =>
  process.env['ORACLE_POLICIES'] === 'true'
    ? { asks: underPolicies, generate: generateUnderPolicies }
    : { asks: asEverybody, generate: generateCase }
