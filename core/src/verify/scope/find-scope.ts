import { GrainlineError } from '../../errors.js'
import { isLostByCode } from '../../execute/driver-fault.js'
import type { DataObject } from '../../model/semantic-model.js'
import { withInternalFunctions } from '../../sql/internal-functions.js'
import type { VerifyContext } from '../verify-context.js'
import { amountQuestions } from './amount-questions.js'
import { type ObjectFacts, objectFacts } from './object-facts.js'
import { rowQuestions } from './row-questions.js'
import type { ScopeQuestion } from './scope-question.js'
import { timeQuestions, zoneQuestions } from './time-questions.js'

/** What somebody must say about the rows of a model, with what its data show. Questions that the model answers in `decisions` are not asked. */
export async function findScope(given: VerifyContext): Promise<readonly ScopeQuestion[]> {
  const context = { ...given, functions: withInternalFunctions(given.functions) }
  const all: ObjectFacts[] = []
  for (const object of tablesOnce(context.model.dataObjects.values())) {
    const facts = await orNothing(() => objectFacts(object, context))
    if (facts !== undefined) all.push(facts)
  }
  const found: ScopeQuestion[] = [...zoneQuestions(all, context)]
  for (const facts of all) {
    for (const ask of [
      () => rowQuestions(facts, context),
      () => amountQuestions(facts, all, context),
      () => timeQuestions(facts, context),
      () => Promise.resolve(spellingQuestions(facts)),
    ])
      found.push(...((await orNothing(ask)) ?? []))
  }
  const answered = new Set(answersOf(context))
  return found.filter(({ question }) => !answered.has(question))
}

/** Each table once, whatever its roles. */
function tablesOnce(objects: Iterable<DataObject>): readonly DataObject[] {
  const seen = new Set<string>()
  return [...objects].filter(({ source, nestedIn }) => {
    const table = JSON.stringify(source)
    if (nestedIn !== undefined || seen.has(table)) return false
    seen.add(table)
    return true
  })
}

/** The largest share of the rows. A column of texts with more values has prose or names, and nothing to choose from. */
const MOST_DISTINCT = 0.8

/** Texts that differ only in case or in white space at their ends: they are different groups. */
const spellingQuestions = ({ object, rows, columns }: ObjectFacts): readonly ScopeQuestion[] =>
  columns
    .filter(
      ({ type, distinct, folded }) =>
        type.kind === 'string' && folded < distinct && distinct <= Math.max(20, rows * MOST_DISTINCT),
    )
    .map(({ name, distinct, folded }) => ({
      kind: 'spelling',
      question: `Are values of '${name}' of '${object.name}' the same that differ only in case or in blanks at their ends?`,
      path: `dataObjects.${object.name}.columns.${name}`,
      evidence: `${distinct} values, ${folded} without regard to case and blanks`,
      settle: `dimensions:\n  ${name}: { dataObject: ${object.name}, expression: 'lower(trim({[${object.name}].[${name}]}))' }`,
    }))

const answersOf = ({ model }: VerifyContext): readonly string[] =>
  (model.document.decisions ?? []).flatMap(({ question, answer }) => (answer === undefined || answer === '' ? [] : [question]))

/** A statement that the database refuses asks nothing. */
async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GrainlineError && error.code !== 'INTERNAL_ERROR' && !isLostByCode(error.details.cause)) return undefined
    throw error
  }
}
