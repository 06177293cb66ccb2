/** Funnels: what a model may say, and the shape of their SQL. Their numbers are tested with the oracle. */
import t from 'tap'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { compileFor } from '../support/compile.js'

const modelOf = (metric: string, time = 'timestamp'): string => `
name: shop
dataObjects:
  Users:
    code: users
    columns: { Id: { code: id, abstractType: int, primaryKey: true } }
  Visits:
    code: visits
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, User: { code: user_id, abstractType: int }, At: { code: at, abstractType: ${time} } }
    joins: [{ joinType: many-to-one, joinTo: Users, columnsFrom: [User], columnsTo: [Id] }]
  Orders:
    code: orders
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, User: { code: user_id, abstractType: int }, At: { code: at, abstractType: ${time} } }
    joins: [{ joinType: many-to-one, joinTo: Users, columnsFrom: [User], columnsTo: [Id] }]
dimensions:
  User: { dataObject: Users, column: Id }
  User by Visits: { dataObject: Users, column: Id, via: Visits }
  Visited: { dataObject: Visits, column: At }
  Ordered: { dataObject: Orders, column: At }
metrics:
  Funnel: ${metric}
`
const STEPS =
  'steps: [{ measure: Visits Count, timeDimension: Visited }, { measure: Orders Count, timeDimension: Ordered }, { measure: Visits Count, timeDimension: Visited }]'
const funnel = (more = '', entity = 'User'): string => `{ type: funnel, ${STEPS}, entity: ${entity}, window: 7d${more} }`
const load = (text: string) => parseModelSync({ text })

t.test('the warning about dates is gone for a time of day', (t) => {
  const codes = (time: string) => load(modelOf(funnel(), time)).warnings.map(({ code }) => code)
  t.same(codes('date'), ['FUNNEL_OVER_DATES'])
  t.same(codes('timestamp'), [])
  t.end()
})

for (const [metric, path, message] of [
  [funnel(', step: 4'), 'metrics.Funnel.step', /step 4 is after the last one; the funnel has 3/],
  [funnel(', distinct: true', 'User by Visits'), 'metrics.Funnel.entity', /has via 'Visits'/],
  [`{ type: funnel, ${STEPS}, entity: User }`, 'metrics.Funnel', /needs 'window'/],
  [
    funnel().replace('measure: Orders Count', 'measure: Order Count'),
    'metrics.Funnel.steps[1].measure',
    /'Order Count' is not a measure/,
  ],
  [funnel().replace('timeDimension: Ordered', 'timeDimension: User'), 'metrics.Funnel.steps[1].timeDimension', /User/],
  [
    '{ type: conversion, base: Visits Count, conversion: Orders Count, entity: User, window: 7d, calculation: rateOfPrevious }',
    'metrics.Funnel.calculation',
    /rateOfPrevious is for funnels/,
  ],
] as const)
  t.test(`refused: ${path} ${message}`, (t) => {
    const { errors } = load(modelOf(metric))
    t.match(errors, [{ path, message }])
    t.end()
  })

t.test('no event is joined with another: each step is a window over the later events of its entity', (t) => {
  const { model } = load(modelOf(funnel(', calculation: count')))
  const { sql } = compileFor({ select: { measures: ['Funnel'] } }, model!)
  t.equal(sql.match(/ OVER \(PARTITION BY/g)?.length, 2, 'one window for each step after the first')
  t.match(sql, /ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING/)
  t.notMatch(sql, /JOIN[^\n]* ON [^\n]*[<>]/, 'no join compares times')
  t.end()
})
