/** Applies the advice of errors and warnings of a model: the finding is gone, and there is no new one. */
import type { ErrorCode } from '@grainline/core'
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { edited, modelFaults } from '../support/model-faults.js'
import { type Edit, MODEL_ADVICE } from './model-advice.js'

const findingsOf = (text: string) => {
  const { errors, warnings } = parseModelSync({ text })
  return { errors, codes: [...errors, ...warnings].map(({ code }) => code) }
}

function changed(text: string, [was, is]: Edit): string {
  if (!text.includes(was)) throw new Error(`the model has no ${was}`)
  return text.replace(was, () => is)
}

for (const [code, ways] of Object.entries(MODEL_ADVICE) as [ErrorCode, readonly (readonly Edit[])[]][]) {
  const [, , , from, to] = modelFaults.find(([fault]) => fault === code)!
  const spoiled = edited(from, to)
  for (const [i, edits] of ways.entries())
    t.test(`${code}, advice ${i + 1} of ${ways.length}`, async (t) => {
      t.ok(findingsOf(spoiled).codes.includes(code))
      const { errors, codes } = findingsOf(edits.reduce(changed, spoiled))
      t.same(errors, [])
      t.notOk(codes.includes(code))
    })
}
