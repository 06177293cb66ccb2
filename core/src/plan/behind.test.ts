/** The rows from which a value was aggregated: shown, counted, or aggregated again. */
import t from 'tap'
import { boundBehind } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { nodesIn } from '../../../test/support/plans.js'
import { said } from '../../../test/support/said.js'
import { planBehind } from './behind.js'

const amount = { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Amount' }] }
const balance = (take: string) => ({ ...amount, semiAdditive: { timeDimension: 'Day', take, per: ['Customer'] } })
const model = shopWith({ measures: { Last: balance('last'), First: balance('first'), Mean: balance('avg') } })

const bound = (measure: string, shows: 'rows' | 'value' | 'count', more: object = {}) =>
  boundBehind({ select: { dimensions: ['Region'], measures: [measure] }, ...more }, { cell: { Region: 'x' }, shows }, model)
const behind = (...asked: Parameters<typeof bound>) => planBehind(bound(...asked))

t.test('rows are shown as they are, in an order if there is one', async (t) => {
  const found = bound('Sales', 'rows')
  const plan = planBehind({ ...found, ties: [] })
  t.match(plan, { kind: 'project', alias: 'answer' })
  t.same(nodesIn(plan, 'aggregate'), [])
  t.same(nodesIn(plan, 'sort'), [])
  const ordered = planBehind({ ...found, ties: found.outputs.slice(0, 2) })
  t.equal(nodesIn(ordered, 'sort')[0]?.keys.length, 2)
})

t.test('a value that the rows carry is read as their column', async (t) => {
  const { outputs, block } = bound('Sales', 'rows')
  const shown = { ...outputs[0]!, expression: block.aggregates[0]!.args[0]!.expression }
  const plan = planBehind({ ...bound('Sales', 'rows'), outputs: [shown], ties: [] })
  t.match(plan.kind === 'project' && plan.columns[0]?.expression, { kind: 'column', table: '' })
  const own = planBehind({ ...bound('Sales', 'rows'), outputs: outputs.slice(0, 1), ties: [] })
  t.same(own.kind === 'project' && own.columns[0]?.expression, outputs[0]?.expression, 'others stay')
})

t.test('they are counted, or aggregated as the measure says, in one row', async (t) => {
  t.match(nodesIn(behind('Sales', 'count'), 'aggregate'), [{ keys: [], aggregates: [{ name: 'rows', aggregate: 'count' }] }])
  const [value, ...others] = nodesIn(behind('Sales', 'value'), 'aggregate')
  t.match(value, { keys: [], aggregates: [{ aggregate: 'sum' }] })
  t.same(others, [])
  t.ok(
    value?.aggregates.every(({ args }) => args.every((one) => !said(one).includes('.'))),
    'of the only relation',
  )
})

t.test('behind a balance are the rows of the time that is taken of each entity', async (t) => {
  for (const measure of ['Last', 'First']) {
    const [rank] = nodesIn(behind(measure, 'count'), 'window').flatMap(({ calls }) => calls)
    t.same(
      rank?.partitionBy.map((one) => said(one)),
      ['Customer'],
      measure,
    )
  }
  t.same(nodesIn(behind('Mean', 'count'), 'window'), [], 'all times count')
  t.same(nodesIn(behind('Sales', 'count'), 'window'), [])
  const grouped = nodesIn(behind('Last', 'value'), 'aggregate').map(({ keys }) => keys.map(({ name }) => name).join())
  t.same(grouped[0], 'Region,Day,Customer')
})
