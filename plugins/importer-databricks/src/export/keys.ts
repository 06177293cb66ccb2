/** What the keys of items are in a metric view. */
import type { KeyUse } from '@grainline/importer-dbt/foreign'

type Uses = Readonly<Record<string, KeyUse>>

const all = (keys: string, use: KeyUse): Uses => Object.fromEntries(keys.split(' ').map((key) => [key, use]))

const NOTES = all('owner customExtensions comment', 'inert')
const GRADES: Uses = { ...NOTES, ...all('status use format resultType', 'inert') }
const OF_VALUES: Uses = {
  ...all('owner customExtensions status use resultType allowFanOut', 'inert'),
  unit: 'constant',
  dataType: { refused: 'its values are rounded to a type' },
}

export const OBJECT_KEYS: Uses = {
  ...all('code database schema columns joins countable countLabel', 'said'),
  ...NOTES,
  // A joined table has no notes, and keys only say that rows are equal.
  ...all('refresh description synonyms uniqueKeys', 'inert'),
  nestedIn: { refused: 'its rows are elements of an array' },
  bridge: { refused: 'it is a bridge' },
  weight: { refused: 'it is a bridge with weights' },
  calendar: { refused: 'it is a calendar' },
}

export const COLUMN_KEYS: Uses = {
  ...all('code expression abstractType sqlType sqlPrecision sqlScale trueValues primaryKey', 'said'),
  ...NOTES,
  ...all('numClass description synonyms', 'inert'),
  unit: 'constant',
  measure: { refused: 'it is a measure of other rows' },
  exists: { refused: 'it asks for other rows' },
}

export const JOIN_KEYS: Uses = {
  ...all('joinType joinTo columnsFrom columnsTo required', 'said'),
  ...all('foreignKey description customExtensions pathName', 'inert'),
  secondary: { refused: 'a question takes it only by its name' },
  during: { refused: 'it compares times' },
  asOf: { refused: 'it compares times' },
}

export const DIMENSION_KEYS: Uses = {
  ...all('dataObject column expression resultType timeGrain hidden description synonyms', 'said'),
  ...GRADES,
  ...all('hierarchy sortBy', 'inert'),
  via: { refused: 'it names the way of its join' },
  bins: { refused: 'it has bins' },
}

export const MEASURE_KEYS: Uses = {
  ...all(
    'aggregation columns expression distinct filters percentile semiAdditive anchor defaultValue hidden format description synonyms',
    'said',
  ),
  ...OF_VALUES,
  grain: { refused: 'it has a grain of its own' },
  total: { refused: 'it is a total' },
  filterContext: { refused: 'it chooses the filters of a question' },
}

const METRIC: Uses = { ...all('type hidden format description synonyms', 'said'), ...OF_VALUES }

/** By the type of the metric. */
export const METRIC_KEYS: Readonly<Record<string, Uses>> = {
  derived: { ...METRIC, expression: 'said' },
  cumulative: { ...METRIC, ...all('measure timeDimension window windowGrain grainToDate', 'said') },
  period_over_period: { ...METRIC, ...all('measure expression periodOverPeriod', 'said') },
}

export const PERIOD_KEYS: Uses = all('timeDimension offset offsetGrain comparison rows', 'said')
