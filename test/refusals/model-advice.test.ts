/** Applies the advice of errors and warnings of a model: the finding is gone, there is no new error, and questions have the numbers that were meant. */
import type { ErrorCode } from '@grainline/core'
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { oneIn } from '../support/amount.js'
import { compileFor, loadText } from '../support/compile.js'
import { edited, modelFaults } from '../support/model-faults.js'
import { meant } from './meant.js'
import { type Edit, MODEL_ADVICE } from './model-advice.js'
import { COMMERCE_DATA, COMMERCE_NUMBERS, OTHER_NUMBERS } from './numbers.js'

const findingsOf = (text: string) => {
  const { errors, warnings } = parseModelSync({ text })
  return { errors, codes: [...errors, ...warnings].map(({ code }) => code) }
}

function changed(text: string, [was, is]: Edit): string {
  if (!text.includes(was)) throw new Error(`the model has no ${was}`)
  return text.replace(was, () => is)
}

for (const [code, ways] of oneIn(2, Object.entries(MODEL_ADVICE) as [ErrorCode, readonly (readonly Edit[])[]][])) {
  const [, , , from, to] = modelFaults.find(([fault]) => fault === code)!
  const spoiled = edited(from, to)
  for (const [i, edits] of ways.entries())
    t.test(`${code}, advice ${i + 1} of ${ways.length}`, async (t) => {
      t.ok(findingsOf(spoiled).codes.includes(code))
      const { errors, codes } = findingsOf(edits.reduce(changed, spoiled))
      t.same(errors, [])
      t.notOk(codes.includes(code))
      const model = loadText(edits.reduce(changed, spoiled))
      for (const meaning of Object.values({ ...COMMERCE_NUMBERS, ...OTHER_NUMBERS[code] })) {
        if (meaning) await meant(t, COMMERCE_DATA, compileFor(meaning.query, model).sql, meaning.sql)
      }
    })
}
