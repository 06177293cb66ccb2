/** The dimensions of each kind of metric. */
import t from 'tap'
import { dimensionsNamed, dimensionsRead } from './dimensions-named.js'
import type { Metric } from './semantic-model.js'

const KINDS: readonly (readonly [metric: object, read: readonly string[], named: readonly string[]])[] = [
  [{ type: 'derived' }, [], []],
  [{ type: 'period_over_period', timeDimension: 'Day' }, [], ['Day']],
  [{ type: 'cumulative', timeDimension: 'Day' }, [], ['Day']],
  [{ type: 'cumulative', timeDimension: 'Day', partitionBy: ['Region'] }, [], ['Day', 'Region']],
  [{ type: 'window', partitionBy: ['Region'] }, [], ['Region']],
  [{ type: 'window', timeDimension: 'Day', partitionBy: [] }, [], ['Day']],
  [{ type: 'aggregate', per: ['Customer'] }, ['Customer'], ['Customer']],
  [{ type: 'conversion', entity: 'Customer' }, ['Customer'], ['Customer']],
  [
    { type: 'conversion', entity: 'Customer', timeDimension: 'Day', conversionTimeDimension: 'Returned' },
    ['Customer', 'Day', 'Returned'],
    ['Customer', 'Day', 'Returned'],
  ],
  [
    { type: 'funnel', entity: 'Customer', steps: [{ timeDimension: 'Day' }, { timeDimension: 'Returned' }] },
    ['Customer', 'Day', 'Returned'],
    ['Customer', 'Day', 'Returned'],
  ],
]

for (const [metric, read, named] of KINDS)
  t.test(JSON.stringify(metric), async (t) => {
    t.same(dimensionsRead(metric as Metric), read)
    t.same(dimensionsNamed(metric as Metric), named)
  })
