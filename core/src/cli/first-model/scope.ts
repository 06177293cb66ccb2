import type { IntrospectedTable } from '../../execute/introspection.js'
import { parseModelSync } from '../../model/load-model.js'
import { findScope } from '../../verify/scope/find-scope.js'
import type { ScopeQuestion } from '../../verify/scope/scope-question.js'
import { type Database, verifyContextOf } from './database.js'
import type { FirstModel } from './first-model.js'

/** The model with the questions about its rows, each open, with what the data show and YAML that would settle it. */
export async function withScope(
  first: FirstModel,
  tables: readonly IntrospectedTable[],
  database: Database,
): Promise<FirstModel> {
  const { model } = parseModelSync({ json: first.document, ...database.catalogue })
  if (model === undefined) return first
  const storedTypes = new Map(
    [...model.dataObjects.values()].map(({ name, source }) => {
      const table = tables.find((each) => source.kind === 'table' && each.name === source.name && each.schema === source.schema)
      return [name, new Map((table?.columns ?? []).map((column) => [column.name, { sqlType: column.sqlType }]))] as const
    }),
  )
  const questions = await findScope(verifyContextOf(model, storedTypes, database))
  if (questions.length === 0) return first
  return {
    ...first,
    document: { ...first.document, decisions: questions.map(({ question }) => ({ question, answer: '' })) },
    notes: [...first.notes, ...questions.map((each, i) => ({ path: ['decisions', i], text: commentOf(each) }))],
  }
}

const commentOf = ({ evidence, settle }: ScopeQuestion): string =>
  `${evidence}\nfor example:\n${settle
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')}`
