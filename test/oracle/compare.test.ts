/** The harness must detect a wrong engine and reduce its fault; the engine here is the oracle with a deliberate error. */
import t from 'tap'
import { compareCase, type Run, sameValue } from './compare.js'
import { evaluate } from './evaluate.js'
import { type Case, generateCase } from './generate/case.js'
import { data, model } from './head-to-head.js'
import { report } from './report.js'
import { shrink } from './shrink.js'
import { Dec, parseDec, roundTo } from './values.js'

const oracle: Run = async (m, tables, query) => evaluate(m, tables, query)
/** Loses orders of customers without a region, like an inner join. */
const losesNulls: Run = async (m, tables, query) => {
  const answer = evaluate(m, tables, query)
  if ('refused' in answer) return answer
  return { ...answer, rows: answer.rows.filter((r) => r[0] !== null) }
}
const byRegion: Case = {
  model,
  data,
  query: { select: { dimensions: ['region'], measures: ['amount', 'refund'] }, order_by: [{ field: 'region' }] },
}

t.test('an engine that gives the same answers passes', async (t) => {
  for (let i = 0; i < 50; i++) t.equal(await compareCase(generateCase(1, i), oracle), undefined)
})

t.test('missing rows, other values, another order and an unnecessary refusal are distinguished', async (t) => {
  const kindOf = async (run: Run): Promise<string | undefined> => (await compareCase(byRegion, run))?.kind
  const changed =
    (change: (answer: Extract<Awaited<ReturnType<Run>>, { rows: unknown }>) => Awaited<ReturnType<Run>>): Run =>
    async (m, tables, q) => {
      const answer = evaluate(m, tables, q)
      return 'refused' in answer ? answer : change(answer)
    }
  t.equal(await kindOf(losesNulls), 'rows')
  t.equal(await kindOf(changed((a) => ({ ...a, rows: a.rows.map((r) => [...r.slice(0, -1), new Dec(1n, 0)]) }))), 'rows')
  t.equal(await kindOf(changed((a) => ({ ...a, rows: a.rows.toReversed() }))), 'order')
  t.equal(await kindOf(changed((a) => ({ ...a, columns: a.columns.toReversed() }))), 'columns')
  t.equal(await kindOf(async () => ({ refused: 'NO_JOIN_PATH' })), 'refusal')
  t.equal(await kindOf(async () => Promise.reject(new Error('syntax error'))), 'crash')
})

t.test('if two refusals apply, either is correct, and no other', async (t) => {
  const alone = { code: 'alone', columns: { id: { code: 'id', abstractType: 'int' } } } as const
  const one: Case = {
    model: {
      ...model,
      dataObjects: { ...model.dataObjects, Alone: alone },
      measures: {
        amount: model.measures!.amount!,
        'alone ids': { aggregation: 'sum', columns: [{ dataObject: 'Alone', column: 'id' }] },
      },
      metrics: {},
    },
    data: { ...data, Alone: [] },
    query: {
      select: { dimensions: ['status'], measures: ['amount', 'alone ids'] },
      where: [{ field: 'ordered', op: '=', value: '2024-02-29 08:15:00' }],
    },
  }
  const expected = evaluate(one.model, one.data, one.query)
  t.match(expected, { refused: 'INVALID_FILTER_VALUE' })
  t.equal(await compareCase(one, async () => ({ refused: 'NO_JOIN_PATH' })), undefined)
  t.equal((await compareCase(one, async () => ({ refused: 'UNKNOWN_DIMENSION' })))?.kind, 'refusal')
  const third: Case = {
    ...one,
    query: { ...one.query, grouping: { sets: [['region']] }, order_by: [{ field: 'ordered' }] },
  }
  t.match(evaluate(third.model, third.data, third.query), { refused: 'ORDER_NOT_DETERMINED' })
  const run: Run = async () => ({ refused: 'UNKNOWN_DIMENSION' })
  t.equal(await compareCase(third, run), undefined, 'the third fault is found without the first and the second one')
  const unfit = { select: one.query.select, having: [{ field: 'amount', op: 'gt', value: 'much' }] }
  const both = evaluate(one.model, one.data, unfit)
  t.match('refused' in both && [...both.codes].sort(), ['INVALID_FILTER_VALUE', 'NO_JOIN_PATH'], 'a value of having, too')
  const { Orders } = one.model.dataObjects
  const lost = { measure: 'alone ids', abstractType: 'int' } as const
  const unread = await compareCase(
    {
      ...one,
      model: {
        ...one.model,
        dataObjects: { ...one.model.dataObjects, Orders: { ...Orders!, columns: { ...Orders!.columns, lost } } },
        dimensions: { ...one.model.dimensions, Lost: { dataObject: 'Orders', column: 'lost' } },
      },
      query: { select: { dimensions: ['Lost'] }, order_by: [{ field: 'ordered' }] },
    },
    async () => ({ refused: 'ORDER_NOT_DETERMINED' }),
  )
  t.equal(unread, undefined, 'an order, too, if a dimension cannot be read')
})

t.test('exact numbers are compared exactly and never equal a double', async (t) => {
  t.ok(sameValue(parseDec('1.50')!, parseDec('1.5')!))
  t.notOk(sameValue(parseDec('1.50')!, parseDec('1.51')!))
  t.notOk(sameValue(parseDec('1.50')!, 1.5))
  t.notOk(sameValue(1.5, parseDec('1.5')!))
  t.ok(sameValue(1 / 3, 1 / 3 + 1e-12))
  t.notOk(sameValue(1 / 3, 1 / 3 + 1e-6))
  t.ok(sameValue(roundTo(1.115, 2), parseDec('1.11')!), 'a double on the edge may be rounded either way')
  t.notOk(sameValue(roundTo(1.117, 2), parseDec('1.11')!))
})

t.test('a failing case is reduced to a small one and reported completely', async (t) => {
  const fails = async (one: Case): Promise<boolean> => (await compareCase(one, losesNulls))?.kind === 'rows'
  const small = await shrink(byRegion, fails)
  t.ok(await fails(small))
  t.ok(Object.values(small.data).flat().length <= 2, 'two rows at most')
  t.same(small.query.order_by, undefined)
  const mismatch = (await compareCase(small, losesNulls))!
  const text = report('seed 1 case 2', small, mismatch)
  for (const part of ['seed 1 case 2', 'model:', 'data:', 'query: {', 'expected:', 'actual:']) t.match(text, part)
})

t.test('the same seed gives the same cases', async (t) => {
  t.same(generateCase(5, 17), generateCase(5, 17))
  t.not(JSON.stringify(generateCase(5, 17).query), JSON.stringify(generateCase(6, 17).query))
})
