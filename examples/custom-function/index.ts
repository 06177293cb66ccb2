import { type AggregateSpec, type DataType, definePlugin, type FunctionSpec, type SpellFunction } from '@grainline/core'

const float: DataType = { kind: 'float' }
const radians = (degrees: string): string => `RADIANS(${degrees})`
const half = (from: string, to: string): string => `POWER(SIN((${radians(to)} - ${radians(from)}) / 2), 2)`

/** Great-circle distance by the haversine formula, in kilometres, on a sphere of 6,371 km. Both dialects have the same trigonometry. */
const haversine: SpellFunction<readonly [string, string, string, string]> = ([lat1, lon1, lat2, lon2]) => {
  const chord = `${half(lat1, lat2)} + COS(${radians(lat1)}) * COS(${radians(lat2)}) * ${half(lon1, lon2)}`
  return `(2 * 6371 * ASIN(SQRT(LEAST(1, ${chord}))))`
}

const haversineKm: FunctionSpec = {
  name: 'haversine_km',
  arity: [4, 4],
  result: () => float,
  meaning: 'the great-circle distance in kilometres between two points (latitude, longitude, latitude, longitude) in degrees',
  spellings: { duckdb: haversine, postgres: haversine },
}

const geometricMean: AggregateSpec = {
  name: 'geometric_mean',
  arity: [1, 1],
  result: () => float,
  meaning: 'the n-th root of the product of n positive values; values that are not positive are left out',
  additivity: 'non-additive',
  empty: 'null',
  spellings: {
    duckdb: ([x]) => `EXP(AVG(CASE WHEN ${x} > 0 THEN LN(${x}) END))`,
    postgres: ([x]) => `EXP(AVG(CASE WHEN ${x} > 0 THEN LN(CAST(${x} AS DOUBLE PRECISION)) END))`,
  },
}

export default definePlugin({
  name: '@grainline/example-custom-function',
  host: '^0.1.0',
  setup: (host) => {
    host.functions.register(haversineKm)
    host.aggregates.register(geometricMean)
  },
})
