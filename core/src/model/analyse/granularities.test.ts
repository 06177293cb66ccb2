import t from 'tap'
import { parseModelSync } from '../load-model.js'

const MODEL = `version: 1
dataObjects:
  Days:
    code: days
    calendar: { key: Day }
    columns: { Day: { code: day, abstractType: date, primaryKey: true }, Work: { code: work, abstractType: boolean } }
  Budget:
    code: budget
    columns:
      Month: { code: month, abstractType: date, granularity: month, spread: { over: Work } }
      Amount: { code: amount, abstractType: float }
    joins: [{ joinType: many-to-one, joinTo: Days, columnsFrom: [Month], columnsTo: [Day] }]
dimensions: { Day: { dataObject: Days, column: Day } }
measures: { Amount: { aggregation: sum, columns: [{ dataObject: Budget, column: Amount }] } }
`

t.test('a join without its columns is a fault, also where sums are spread over its days', async (t) => {
  t.same(parseModelSync({ text: MODEL }).errors, [])
  for (const key of ['columnsFrom: [Month], ', ', columnsTo: [Day]', 'joinTo: Days, ']) {
    const { errors } = parseModelSync({ text: MODEL.replace(key, '') })
    t.match(errors[0]?.path, /^dataObjects\.Budget\.joins\[0\]/, key)
  }
})
