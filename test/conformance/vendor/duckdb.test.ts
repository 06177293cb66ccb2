import { type DataType, silentLogger } from '@grainline/core'
import { CONFORMANCE_POOL_SIZE, type ConformanceValue, vendorConformance } from '@grainline/core/testing'
import {
  BOOLEAN,
  DATE,
  decimal,
  FLOAT,
  INT,
  JSON_TYPE,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
  type Value,
} from '@grainline/core/vendor'
import { duckdbVendor, planOf } from '@grainline/vendor-duckdb'
import t from 'tap'

const value = (expression: string, type: DataType, expected: Value): ConformanceValue => ({
  sql: `SELECT ${expression}`,
  type,
  value: expected,
})

const values: readonly ConformanceValue[] = [
  value("'Zürich 東京 🚀'", STRING, 'Zürich 東京 🚀'),
  value("''", STRING, ''),
  value('NULL::VARCHAR', STRING, null),
  value('true', BOOLEAN, true),
  value('false', BOOLEAN, false),
  value('NULL::BOOLEAN', BOOLEAN, null),
  value('9223372036854775807', INT, 9223372036854775807n),
  value('(-9223372036854775808)::BIGINT', INT, -9223372036854775808n),
  value('NULL::BIGINT', INT, null),
  value('1.5e300::DOUBLE', FLOAT, 1.5e300),
  value('NULL::DOUBLE', FLOAT, null),
  value('12345678901234567890123456789012.345600::DECIMAL(38,6)', decimal(38, 6), '12345678901234567890123456789012.345600'),
  value('-0.01::DECIMAL(10,2)', decimal(10, 2), '-0.01'),
  value('NULL::DECIMAL(10,2)', decimal(10, 2), null),
  value("DATE '2024-02-29'", DATE, '2024-02-29'),
  value('NULL::DATE', DATE, null),
  value("TIME '23:59:59.999999'", TIME, '23:59:59.999999'),
  value('NULL::TIME', TIME, null),
  value("TIMESTAMP '1969-12-31 23:59:59.000001'", TIMESTAMP, '1969-12-31T23:59:59.000001'),
  value('NULL::TIMESTAMP', TIMESTAMP, null),
  value("TIMESTAMPTZ '2024-07-01 12:00:00+02'", TIMESTAMP_TZ, '2024-07-01T10:00:00Z'),
  value('NULL::TIMESTAMPTZ', TIMESTAMP_TZ, null),
  value(`'{"a": [1, null]}'::JSON`, JSON_TYPE, '{"a": [1, null]}'),
  value('NULL::JSON', JSON_TYPE, null),
]

const plan = planOf({}, { DUCKDB_DATABASE: undefined, DUCKDB_READ_ONLY: false })

vendorConformance(t, {
  connect: () => duckdbVendor(plan, { waitMs: 300 }).connect({ logger: silentLogger, poolSize: CONFORMANCE_POOL_SIZE }),
  sql: {
    rows: (count) => `SELECT range AS n FROM range(${count})`,
    endless: 'SELECT count(*) FROM range(1000000000) AS a, range(1000) AS b WHERE a.range % 7 = b.range % 11',
    failsLate: "SELECT CASE WHEN range < 200000 THEN range ELSE ('x' || range)::BIGINT END AS n FROM range(300000)",
    values,
    traces: [],
  },
})
