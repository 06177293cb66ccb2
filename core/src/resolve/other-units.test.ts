/** Metrics that count in another unit than the periods of a table. */
import t from 'tap'
import { dimensionOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { inNumbersOf, inPlaces, movedByPlace, refuseOtherUnits } from './other-units.js'
import { withPeriodNumbers } from './table-periods.js'

const columns = {
  Day: { code: 'day', abstractType: 'date', primaryKey: true },
  Term: { code: 'term', abstractType: 'string' },
  Season: { code: 'season', abstractType: 'string' },
}
const compared = (more: object) => ({
  type: 'period_over_period',
  measure: 'Sales',
  periodOverPeriod: { timeDimension: 'Day', ...more },
})
const running = (more: object) => ({ type: 'cumulative', measure: 'Sales', timeDimension: 'Day', ...more })
const model = shopWith({
  dataObjects: { Days: { code: 'days', calendar: { key: 'Day', periods: { Term: 'own: 1', Season: 'own: 2' } }, columns } },
  dimensions: { Day: { dataObject: 'Days', column: 'Day' }, Term: { dataObject: 'Days', column: 'Term' } },
  metrics: {
    Before: compared({}),
    'Term Before': compared({ offsetGrain: 'Term' }),
    'Season Before': compared({ offsetGrain: 'Season' }),
    'Year Before': compared({ offsetGrain: 'year' }),
    'Range Before': compared({ offsetGrain: 'range' }),
    'First of Year': compared({ offsetToGrain: 'year' }),
    'Before until Now': compared({ untilNow: true }),
    Two: running({ window: 2 }),
    'Two Years': running({ window: 2, windowGrain: 'year' }),
    'Year to Date': running({ grainToDate: 'year' }),
  },
})
const term = { ...dimensionOf('Term', model), ofTable: { calendar: 'Days', own: 1, column: 'Term' } }

function messageOf(name: string, time = term): string | undefined {
  const metric = model.metrics.get(name)
  if (metric?.type !== 'period_over_period' && metric?.type !== 'cumulative') throw new Error(`${name} is over time`)
  try {
    refuseOtherUnits(metric, time, 'select', model)
    return undefined
  } catch (error) {
    return String(error).replace(/.*? metric '[^']*' (.*?),.*/s, '$1')
  }
}

t.test('periods of the table are counted', async (t) => {
  for (const name of ['Before', 'Term Before', 'Two']) t.equal(messageOf(name), undefined, name)
})

t.test('each other unit is named', async (t) => {
  t.equal(messageOf('Season Before'), "counts periods of 'Season'")
  t.equal(messageOf('Year Before'), 'moves by year')
  t.equal(messageOf('Range Before'), 'moves by the length of the range')
  t.equal(messageOf('First of Year'), 'looks back to the start of the year')
  t.equal(messageOf('Before until Now'), 'ends at the clock')
  t.equal(messageOf('Two Years'), 'looks back by year')
  t.equal(messageOf('Year to Date'), 'starts again with each year')
})

t.test('where rows show another time, only its periods are missed', async (t) => {
  const { ofTable: _, ...day } = term
  t.equal(messageOf('Year Before', day as typeof term), undefined)
  t.equal(messageOf('Term Before', day as typeof term), "counts periods of 'Term'")
})

const placed = withPeriodNumbers(
  shopWith({
    dataObjects: {
      Days: {
        code: 'days',
        calendar: { key: 'Day', periods: { Term: 'own: 1', Place: 'own: 1_of_own: 2', Season: 'own: 2' } },
        columns: { ...columns, Place: { code: 'place', abstractType: 'string' } },
      },
    },
    dimensions: { Day: { dataObject: 'Days', column: 'Day' }, Term: { dataObject: 'Days', column: 'Term' } },
    metrics: {
      'Season Before': compared({ offsetGrain: 'Season' }),
      'Year Before': compared({ offsetGrain: 'year' }),
      Two: running({ window: 2 }),
    },
  }),
)
const metricNamed = (name: string) => {
  const metric = placed.metrics.get(name)
  if (metric?.type !== 'period_over_period' && metric?.type !== 'cumulative') throw new Error(`${name} is over time`)
  return metric
}
const inSeasons = { ...term, ofTable: { ...term.ofTable, placedIn: 2 } }
const at = { path: 'select', model: placed }

t.test('periods with known places are moved by longer ones, in the numbers of these', async (t) => {
  const season = metricNamed('Season Before')
  t.equal(movedByPlace(season, term.ofTable, placed)?.column, 'period of Term in Season')
  t.equal(movedByPlace(season, { ...term.ofTable, own: 2 }, placed), undefined)
  t.equal(movedByPlace(metricNamed('Two'), term.ofTable, placed), undefined)
  refuseOtherUnits(season, term, 'select', placed)
  t.equal(inNumbersOf(season, term, [term, inSeasons], at), inSeasons)
  t.equal(inNumbersOf(metricNamed('Two'), term, [term, inSeasons], at), term)
  if (season.type !== 'period_over_period') throw new Error('a comparison')
  t.equal(inPlaces(season, inSeasons).offset, -100)
  t.equal(inPlaces(season, term), season)
})

t.test('numbers that a row does not have are refused, and the longer periods are advised', async (t) => {
  t.throws(() => inNumbersOf(metricNamed('Two'), inSeasons, [], at), { code: 'INVALID_METRIC', message: /in another unit/ })
  t.throws(() => inNumbersOf(metricNamed('Season Before'), term, [term], at), { code: 'INVALID_METRIC' })
  t.throws(() => refuseOtherUnits(metricNamed('Year Before'), term, 'select', placed), {
    code: 'INVALID_METRIC',
    details: { hint: /such as offsetGrain: Season/ },
  })
})
