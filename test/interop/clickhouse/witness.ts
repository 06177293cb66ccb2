import { clickhouse } from '@grainline/dialect-clickhouse'
import type { Witness } from '../witness.js'

export const witness: Witness = { dialect: clickhouse, engine: 'ClickHouse 26.9, as chDB', evidence: 'executed' }
