/** What fields say about the times of coarse data: something about whole periods, about a day, or something finer. */
import t from 'tap'
import { BUDGETS, manyToOne, shop, shopWith } from '../../../test/support/models.js'
import { entryOf } from '../invariant.js'
import type { Grain } from '../model/grain.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { sourceOf } from '../resolve/fields.js'
import { joinGraph } from '../resolve/join-graph.js'
import { granularRead, hasCoarseData } from './granular-reads.js'

const seasons = {
  dataObjects: {
    Seasons: {
      code: 'seasons',
      columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true }, Name: { code: 'name', abstractType: 'string' } },
    },
    Dates: { joins: [manyToOne('Seasons', 'Month No')] },
  },
  dimensions: { Season: { dataObject: 'Seasons', column: 'Name' } },
}
const model = shopWith(BUDGETS, seasons)

function says(dimension: string, grain?: Grain, of: SemanticModel = model, node = 'Budgets'): string | undefined {
  const read = granularRead(sourceOf(entryOf(of.dimensions, dimension)), node, grain, joinGraph(of, []))
  return read && `${read.says} ${read.time.object}.${read.time.column} ${String(read.granularity.grain)}`
}
const ofMonth = (what: string): string => `${what} Budgets.Month month`

t.test('the time itself is a day, and its longer periods are whole', async (t) => {
  t.equal(says('Budgeted'), ofMonth('day'))
  t.equal(says('Budgeted', 'month'), ofMonth('whole'))
  t.equal(says('Budgeted', 'year'), ofMonth('whole'))
  t.equal(says('Budgeted', 'week'), ofMonth('day'), 'a week divides months')
})

t.test('the days of a calendar, and its periods', async (t) => {
  t.equal(says('Date'), ofMonth('day'))
  t.equal(says('Date', 'quarter'), ofMonth('whole'))
  t.equal(says('Month No'), ofMonth('whole'))
  t.equal(says('Year No'), ofMonth('whole'))
  t.equal(says('Week No'), ofMonth('finer'))
  t.equal(says('Holiday'), ofMonth('finer'), 'of a day')
})

t.test('what is computed of the time', async (t) => {
  t.equal(says('Year'), ofMonth('whole'))
  t.equal(says('Quarter'), ofMonth('whole'))
  t.equal(says('Day of Month'), ofMonth('finer'))
})

t.test('a dimension and a column that read another table', async (t) => {
  const far = shopWith(BUDGETS, seasons, {
    dataObjects: {
      Budgets: {
        columns: {
          'Year There': { expression: "extract('year', {[Dates].[Day]})", abstractType: 'int' },
          'Buyer and Month': {
            expression: "concat({[Customers].[Name]}, cast(date_trunc('month', {Month}) as string))",
            abstractType: 'string',
          },
        },
        joins: [manyToOne('Dates', 'Month', { columnsTo: ['Day'] }), manyToOne('Customers', 'Id')],
      },
    },
    dimensions: {
      'Season There': { dataObject: 'Dates', expression: '{[Seasons].[Name]}', resultType: 'string' },
      'Year There': { dataObject: 'Budgets', column: 'Year There' },
      'Buyer and Month': { dataObject: 'Budgets', column: 'Buyer and Month' },
    },
  })
  t.equal(says('Season There', undefined, far), ofMonth('whole'))
  t.equal(says('Buyer and Month', undefined, far), ofMonth('whole'), 'a column of another table beside a whole period')
  t.equal(says('Year There', undefined, far), undefined)
})

t.test('rows beyond the calendar depend on what joins them there', async (t) => {
  t.equal(says('Season'), ofMonth('whole'), 'by the month')
  const byDay = shopWith(BUDGETS, seasons, { dataObjects: { Dates: { joins: [manyToOne('Seasons', 'Week No')] } } })
  t.equal(says('Season', undefined, byDay), ofMonth('finer'), 'by the week')
})

t.test('a day that is found by its time says nothing of the time itself', async (t) => {
  const found = { ...manyToOne('Dates', 'Kind', { columnsTo: ['Month No'] }), asOf: { time: 'Month', to: 'Day' } }
  const asOf = shopWith(BUDGETS, {
    dataObjects: { Budgets: { columns: { Kind: { code: 'kind', abstractType: 'int' } }, joins: [found] } },
  })
  t.equal(says('Holiday', undefined, asOf), undefined)
})

t.test('a field that reads no such time', async (t) => {
  t.equal(says('Budget Id'), undefined)
  t.equal(says('Day', undefined, model, 'Orders'), undefined)
  t.equal(says('Date', undefined, model, 'Dates'), undefined, 'the calendar by itself')
})

t.test('expressions of a field', async (t) => {
  const graph = joinGraph(model, [])
  const month = { kind: 'column', object: 'Budgets', column: 'Month' } as const
  const ask = (name: string, ...args: readonly (typeof month | { kind: 'literal'; value: string; type: { kind: 'string' } })[]) =>
    granularRead(
      { object: 'Budgets', via: undefined, expression: { kind: 'call', name, args, portable: true } },
      'Budgets',
      undefined,
      graph,
    )?.says
  const unit = (value: string) => ({ kind: 'literal', value, type: { kind: 'string' } }) as const
  t.equal(ask('date_trunc', unit('month'), month), 'whole')
  t.equal(ask('extract', unit('YEAR'), month), 'whole', 'in any case')
  t.equal(ask('extract', unit('day'), month), 'finer')
  t.equal(ask('date_part', unit('month'), month), 'finer', 'a function that is not known')
  const cast = { kind: 'cast', operand: month, type: { kind: 'timestamp' } } as const
  t.equal(granularRead({ object: 'Budgets', via: undefined, expression: cast }, 'Budgets', 'month', graph)?.says, 'whole')
  t.equal(granularRead({ object: 'Budgets', via: undefined, expression: cast }, 'Budgets', undefined, graph)?.says, 'finer')
})

t.test('models with such data', async (t) => {
  t.ok(hasCoarseData(model))
  t.notOk(hasCoarseData(shop))
})
