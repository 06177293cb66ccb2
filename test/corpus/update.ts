/**
 * Writes the SQL of every query again; read the difference before you commit it:
 *
 *     node --conditions=@grainline/source --import tsx test/corpus/update.ts
 *
 * A new question is a file in `questions/` with `name`, `query` and `truth`, hand-written SQL over the tables of `data.sql`.
 */

import { parseModelSync } from '@grainline/core/unstable'
import {
  compileFor,
  DIALECTS,
  FURTHER_DIALECTS,
  modelText,
  readQuestions,
  sqlOrRefusal,
  writeQuestion,
  writeStatements,
} from './corpus.js'

const { model, errors } = parseModelSync({ text: modelText() })
if (!model) throw new Error(errors.map(({ path, message }) => `${path}: ${message}`).join('\n'))

for (const question of readQuestions()) {
  try {
    const sql = Object.fromEntries(DIALECTS.map((dialect) => [dialect.name, compileFor(dialect, question.query, model).sql]))
    writeQuestion({ ...question, sql })
  } catch (error) {
    throw new Error(`the question '${question.name}' does not compile`, { cause: error })
  }
}

for (const dialect of FURTHER_DIALECTS)
  writeStatements(
    dialect,
    Object.fromEntries(readQuestions().map(({ name, query }) => [name, sqlOrRefusal(dialect, query, model)])),
  )
