/** Decisions about the rows of a model, as written. */
import { Type } from 'typebox'
import { text } from './parts.js'

export const decisionSchema = Type.Object(
  {
    question: Type.String({ minLength: 1, description: 'What the data cannot say about the rows.' }),
    answer: text('What was decided. Without an answer the question is open.'),
    by: text('Who decided it.'),
    on: text('The day, such as 2026-11-27.'),
  },
  { description: 'A question about the rows of the model, and its answer.' },
)
