/** The groups of a question over the columns of a table: the same ones, or groups of whole ones. */
import t from 'tap'
import { shopWith } from '../../../../test/support/models.js'
import { asked, shownField, shownUnread, TABLES, tables } from '../../../../test/support/rollups.js'
import type { SemanticModel } from '../../model/semantic-model.js'
import { readDimension } from './read-dimension.js'
import { isUnread } from './unread.js'

function ask(dimension: unknown, rollup = 'Daily', model: SemanticModel = tables): string {
  const { request, reading } = asked({ dimensions: [dimension] }, rollup, {}, model)
  const read = readDimension(request.dimensions[0]!, reading)
  if (isUnread(read)) return shownUnread(read)
  if (read.expression) return 'an expression'
  return `${read.members.map(({ expression }) => shownField(expression)).join()} ${String(read.grain)}`
}

t.test('a value of the table, or of what it reaches', async (t) => {
  t.equal(ask('Status'), '#status undefined')
  t.equal(ask('Region'), 'Name undefined')
  t.equal(ask('Amount'), 'DIMENSION_MISSING Amount')
})

t.test('the same period is not cut again', async (t) => {
  t.equal(ask('Day:day'), '#day_day undefined')
  t.equal(ask('Day:week', 'Weekly'), '#day_week undefined')
})

t.test('longer periods of whole ones', async (t) => {
  t.equal(ask('Day:month'), '#day_day month')
  t.equal(ask('Day:week'), '#day_day week')
  t.equal(ask('Day:year', 'Monthly'), '#day_month year')
  t.equal(ask('Day:quarter', 'Monthly'), '#day_month quarter')
})

t.test('neither shorter ones, nor weeks in months', async (t) => {
  t.equal(ask('Day:day', 'Weekly'), 'GRAIN_TOO_COARSE Day:day')
  t.equal(ask('Day:month', 'Weekly'), 'GRAIN_TOO_COARSE Day:month')
  t.equal(ask('Day:week', 'Monthly'), 'GRAIN_TOO_COARSE Day:week')
  t.equal(ask('Day'), 'GRAIN_TOO_COARSE Day', 'single times')
})

t.test('periods of a calendar are parts of longer ones of the same calendar', async (t) => {
  const model = shopWith(TABLES, {
    calendars: { fiscal: { yearStart: '04-06' }, other: { yearStart: '07-01' } },
    rollups: { Monthly: { dimensions: [{ field: 'Day', grain: 'fiscal_month' }] } },
  })
  t.equal(ask('Day:fiscal_year', 'Monthly', model).split(' ')[0], '#day_fiscal_month')
  t.match(ask('Day:other_year', 'Monthly', model), /^GRAIN_TOO_COARSE/)
  t.match(ask('Day:year', 'Monthly', model), /^GRAIN_TOO_COARSE/)
})

t.test('the first that fits, of several', async (t) => {
  const model = shopWith(TABLES, {
    rollups: {
      Weekly: {
        dimensions: [
          { field: 'Day', grain: 'week' },
          { field: 'Day', grain: 'month' },
        ],
      },
    },
  })
  t.equal(ask('Day:month', 'Weekly', model), '#day_month undefined')
  t.equal(ask('Day:year', 'Weekly', model), '#day_month year')
})

t.test('a time that is moved is cut from the time itself', async (t) => {
  const { request, reading } = asked({ dimensions: ['Day:week'] }, 'Weekly')
  const [dimension] = request.dimensions
  const moved = readDimension({ ...dimension!, movedBy: [{ unit: 'week', count: -1 }] }, reading)
  t.match(moved, { reason: 'GRAIN_TOO_COARSE' })
})

t.test('an expression, if each of its fields is read as it is', async (t) => {
  t.equal(ask({ expression: 'upper({[Status]})', as: 'Upper' }), 'an expression')
  t.equal(ask({ expression: 'concat({[Status]}, cast({[Amount]} as string))', as: 'Both' }), 'DIMENSION_MISSING Amount')
  t.equal(ask({ expression: "extract('month', {[Day]})", as: 'Month' }), 'GRAIN_TOO_COARSE Day')
})

t.test('a coalesce, if each field that its rows use is read', async (t) => {
  t.equal(ask({ coalesce: ['Customer', 'Status'], as: 'Both' }), 'Name,#status undefined')
  t.equal(ask({ coalesce: ['Customer Key', 'Amount'], as: 'Both' }), 'DIMENSION_MISSING Amount')
})
