import { clickhouse } from '@grainline/dialect-clickhouse'
import type { Witness } from '../witness.js'

export const witness: Witness = {
  dialect: clickhouse,
  engine: 'ClickHouse 26.9, as chDB',
  evidence: 'executed',
  unproven: (sql) =>
    sql.includes("'America/St_Johns'")
      ? 'ClickHouse sets clocks at quarters of an hour alone; those of Newfoundland were set at 00:01 until 2011'
      : undefined,
}
