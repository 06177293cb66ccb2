/** The witness of each dialect, in the order of the columns of docs/reference/questions-by-engine.md. */
import { witness as bigquery } from './bigquery/witness.js'
import { witness as clickhouse } from './clickhouse/witness.js'
import { witness as databricks } from './databricks/witness.js'
import { witness as dremio } from './dremio/witness.js'
import { witness as mariadb } from './mariadb/witness.js'
import { witness as mysql } from './mysql/witness.js'
import { witness as redshift } from './parsers/witness.js'
import { witness as postgres } from './postgres/witness.js'
import { witness as snowflake } from './snowflake/witness.js'
import { witness as sqlite } from './sqlite/witness.js'
import { witness as trino } from './trino/witness.js'
import type { Witness } from './witness.js'

export const witnesses: readonly Witness[] = [
  postgres,
  mysql,
  mariadb,
  clickhouse,
  databricks,
  trino,
  sqlite,
  bigquery,
  snowflake,
  redshift,
  dremio,
]
