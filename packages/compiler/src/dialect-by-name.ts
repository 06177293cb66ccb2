import type { Dialect } from '@grainline/core/compiler'
import { bigquery } from '@grainline/dialect-bigquery'
import { clickhouse } from '@grainline/dialect-clickhouse'
import { databricks } from '@grainline/dialect-databricks'
import { dremio } from '@grainline/dialect-dremio'
import { duckdb } from '@grainline/dialect-duckdb'
import { mariadb } from '@grainline/dialect-mariadb'
import { mysql } from '@grainline/dialect-mysql'
import { postgres } from '@grainline/dialect-postgres'
import { redshift } from '@grainline/dialect-redshift'
import { snowflake } from '@grainline/dialect-snowflake'
import { sqlite } from '@grainline/dialect-sqlite'
import { trino } from '@grainline/dialect-trino'

const ALL = [
  bigquery,
  clickhouse,
  databricks,
  dremio,
  duckdb,
  mariadb,
  mysql,
  postgres,
  redshift,
  snowflake,
  sqlite,
  trino,
] as const satisfies readonly Dialect[]

export const dialectByName: ReadonlyMap<string, Dialect> = new Map(ALL.map((dialect) => [dialect.name, dialect]))
