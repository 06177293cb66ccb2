/** Each public model is read unchanged, and has the numbers that were published with it, or says which item differs and why. */
import t from 'tap'
import { oneIn } from '../support/amount.js'
import { measured, ownModels, publicModels } from './public-projects.js'

t.setTimeout(300_000)

for (const name of [...oneIn(3, publicModels), ...ownModels])
  t.test(`${name}: the published numbers`, async (t) => {
    const { model, counts, answers } = await measured(name)
    for (const { question, outcome, fault } of answers) t.equal(fault, undefined, `${outcome}: ${question.says}`)
    t.comment(`${model.name}: ${JSON.stringify(counts)}`)
  })
