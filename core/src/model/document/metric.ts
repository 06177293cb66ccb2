/** Metrics, as written. */
import { type Static, Type } from 'typebox'
import { described, flag, graded, grain, maybe, names, text, unit, vendorNotes } from './parts.js'

const METRIC_TYPES = ['derived', 'cumulative', 'period_over_period', 'window', 'aggregate', 'conversion', 'funnel'] as const

export const metricSchema = Type.Object(
  {
    type: maybe(METRIC_TYPES, 'The kind of metric (derived).'),
    expression: text('A formula over {[Measure or metric]}.'),
    measure: text('The measure or metric it is made of.'),
    timeDimension: text('The time dimension it runs along.'),
    cumulativeType: maybe(['sum', 'avg', 'min', 'max', 'count'], 'How the values of the window are folded.'),
    window: Type.Optional(
      Type.Unsafe<number | string>({
        type: ['integer', 'string'],
        description: 'How many periods (cumulative), or how long (conversion, funnel: 7d).',
      }),
    ),
    windowGrain: grain('The unit of window, if it differs from the grain of the query (cumulative).'),
    grainToDate: grain('Start again with each of these.'),
    onlyFull: flag(
      'Show no value while the window begins before the first period in which the base has rows (cumulative, with window or grainToDate).',
    ),
    untilNow: flag('Run only up to now: today counts whole, and later periods have no value (cumulative).'),
    partitionBy: names('Dimensions within which it runs.'),
    periodOverPeriod: Type.Optional(
      Type.Object(
        {
          timeDimension: Type.String({ description: 'The time dimension.' }),
          grain: grain("The grain when the query's dimension has none."),
          offset: Type.Optional(Type.Integer({ description: 'How many periods away; negative looks back (-1).' })),
          offsetGrain: Type.Optional(
            Type.String({
              description:
                'The unit of offset: a grain, the column of a table of days that names periods of a grain of its own, or range for the length of the time that the query leaves.',
            }),
          ),
          offsetToGrain: grain('In place of offset: compare with the first period of this grain.'),
          comparison: maybe(['previousValue', 'difference', 'ratio', 'percentChange'], 'What is shown.'),
          compare: maybe(
            ['elapsed', 'whole'],
            'Whether a period that the query cuts is compared with the same part of the other one (elapsed, the default) or with all of it (whole).',
          ),
          rows: maybe(
            ['all', 'current'],
            'Whether members that have rows only in the compared period are rows of the answer (all, the default) or not (current).',
          ),
          untilNow: flag(
            'Compare only up to now: today counts whole, and the other side ends at the same place of its period. Later periods have no value.',
          ),
        },
        { description: 'The comparison with another period.' },
      ),
    ),
    windowFunction: maybe(
      ['rank', 'dense_rank', 'row_number', 'ntile', 'lag', 'lead', 'first_value', 'last_value'],
      'The function over the rows of the answer.',
    ),
    offset: Type.Optional(Type.Number({ description: 'Rows to look back or ahead, for lag and lead (1).' })),
    buckets: Type.Optional(Type.Number({ description: 'How many buckets, for ntile.' })),
    orderDirection: maybe(['asc', 'desc'], 'The order of the rows.'),
    defaultValue: Type.Optional(
      Type.Unsafe<string | number | boolean>({
        type: ['string', 'number', 'boolean'],
        description: 'The value used where the row does not exist.',
      }),
    ),
    aggregation: text('How the values per group are folded (aggregate).'),
    per: names('The groups whose values are aggregated (aggregate).'),
    base: text('The measure of base events (conversion).'),
    conversion: text('The measure of conversion events (conversion).'),
    steps: Type.Optional(
      Type.Array(
        Type.Object(
          {
            measure: Type.String({ description: 'The measure that counts the events of the step.' }),
            timeDimension: Type.String({ description: 'The time of these events.' }),
          },
          { description: 'A step of a funnel.' },
        ),
        { minItems: 1, description: 'The steps in their order (funnel).' },
      ),
    ),
    step: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The step that must be reached, counted from 1; the last one by default (funnel).',
      }),
    ),
    distinct: flag('Count entities and not events (funnel).'),
    entity: text('The dimension that identifies who converts (conversion, funnel).'),
    conversionTimeDimension: text('The time of conversion events, if it is not timeDimension (conversion).'),
    calculation: maybe(['rate', 'count', 'rateOfPrevious'], 'What is shown (conversion, funnel); rateOfPrevious is for funnels.'),
    dataType: text('The type of the displayed column.'),
    format: text('How values are shown.'),
    unit: unit('The unit of its values, if it does not follow from those of its measures.'),
    hidden: flag('Usable in queries and in expressions, but not offered.'),
    ...described,
    ...graded,
    ...vendorNotes,
  },
  { description: 'A formula or comparison over measures and metrics.' },
)

export type MetricDocument = Static<typeof metricSchema>
