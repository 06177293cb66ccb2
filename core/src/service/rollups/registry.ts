/** The table `grainline_rollups`, which lists the builds of rollup tables beside them. Servers only read it. */
import type { VendorConnection } from '../../execute/vendor.js'
import { INT, STRING } from '../../model/data-type.js'
import type { Rollup, SemanticModel } from '../../model/semantic-model.js'
import type { ResultSchema } from '../../result/record-batch.js'
import { rowsOf } from '../../result/value-at.js'
import type { Dialect } from '../../sql/dialect.js'
import { sourceText } from '../../sql/text.js'

export const REGISTRY = 'grainline_rollups'

/** `building`: not complete; `serving`: complete, and what it holds was compared with the facts; `wrong`: it held something else. */
export type BuildState = 'building' | 'serving' | 'wrong'

/** A build of the table of a rollup: a new table. */
export interface RegisteredBuild {
  /** The name of the table in the model. */
  readonly rollup: string
  readonly build: string
  readonly table: Rollup['table']
  /** The hash of what it holds. */
  readonly definition: string
  /** The moment before its first read, by the clock of the database: microseconds since 1970. */
  readonly builtAt: number
  readonly rows: number
  readonly state: BuildState
}

/** Where the tables of some rollups are: they have one registry. */
export type RegistryPlace = Omit<Rollup['table'], 'name'>

export const placeOf = ({ database, schema }: Rollup['table']): RegistryPlace => ({ database, schema })

/** The places of the tables of a model, each once. */
export const placesIn = ({ rollups }: Pick<SemanticModel, 'rollups'>): readonly RegistryPlace[] => [
  ...new Map([...rollups.values()].map(({ table }) => [keyOfPlace(table), placeOf(table)])).values(),
]

export const keyOfPlace = ({ database, schema }: RegistryPlace): string => JSON.stringify([database ?? null, schema ?? null])

export const registryText = (place: RegistryPlace, dialect: Dialect): string =>
  sourceText({ kind: 'table', ...place, name: REGISTRY }, dialect)

const COLUMNS = ['rollup_name', 'build', 'table_name', 'definition', 'built_at', 'row_count', 'state'] as const

const SCHEMA: ResultSchema = COLUMNS.map((name) => ({
  name,
  type: name === 'built_at' || name === 'row_count' ? INT : STRING,
  role: 'field',
}))

/** Plain names of ASCII letters, which need no quotes on any engine. */
const COLUMN_LIST = COLUMNS.join(', ')

export const createRegistry = (place: RegistryPlace, dialect: Dialect): string =>
  `CREATE TABLE IF NOT EXISTS ${registryText(place, dialect)} (rollup_name VARCHAR(255) NOT NULL, build VARCHAR(64) NOT NULL, table_name VARCHAR(255) NOT NULL, definition VARCHAR(64) NOT NULL, built_at BIGINT NOT NULL, row_count BIGINT NOT NULL, state VARCHAR(16) NOT NULL)`

export function insertBuild(found: RegisteredBuild, dialect: Dialect): string {
  const text = dialect.literals.string
  const { rollup, build, table, definition, builtAt, rows, state } = found
  const values = [text(rollup), text(build), text(table.name), text(definition), String(builtAt), String(rows), text(state)]
  return `INSERT INTO ${registryText(table, dialect)} (${COLUMN_LIST}) VALUES (${values.join(', ')})`
}

const isOf = ({ build }: Pick<RegisteredBuild, 'build'>, { literals }: Dialect): string => `build = ${literals.string(build)}`

/** One statement, so that a reader sees the build before it or this one. */
export const settleBuild = (found: RegisteredBuild, dialect: Dialect): string =>
  `UPDATE ${registryText(found.table, dialect)} SET state = ${dialect.literals.string(found.state)}, row_count = ${found.rows} WHERE ${isOf(found, dialect)}`

export const forgetBuild = (found: RegisteredBuild, dialect: Dialect): string =>
  `DELETE FROM ${registryText(found.table, dialect)} WHERE ${isOf(found, dialect)}`

export const dropTable = ({ table }: Pick<RegisteredBuild, 'table'>, dialect: Dialect): string =>
  `DROP TABLE IF EXISTS ${sourceText({ kind: 'table', ...table }, dialect)}`

/** The registered builds of a place, the newest first. Rejects if the registry is not there. */
export async function readRegistry(
  place: RegistryPlace,
  dialect: Dialect,
  connection: Pick<VendorConnection, 'query'>,
): Promise<readonly RegisteredBuild[]> {
  const sql = `SELECT ${COLUMN_LIST} FROM ${registryText(place, dialect)} ORDER BY built_at DESC, build DESC`
  const found: RegisteredBuild[] = []
  for await (const batch of connection.query(sql, { schema: SCHEMA })) {
    for (const [rollup, build, name, definition, builtAt, rows, state] of rowsOf(batch, SCHEMA)) {
      found.push({
        rollup: String(rollup),
        build: String(build),
        table: { ...place, name: String(name) },
        definition: String(definition),
        builtAt: Number(builtAt),
        rows: Number(rows),
        state: stateOf(String(state)),
      })
    }
  }
  return found
}

const stateOf = (text: string): BuildState => (text === 'serving' || text === 'wrong' ? text : 'building')

/** The clock of the database, and between which times of this process it was read; in milliseconds. */
export async function readClock(clock: string, connection: Pick<VendorConnection, 'query'>, now: () => number) {
  const before = now()
  const schema: ResultSchema = [{ name: 'now_at', type: INT, role: 'field' }]
  for await (const batch of connection.query(`SELECT ${clock} AS now_at`, { schema })) {
    for (const [at] of rowsOf(batch, schema)) return { before, micros: Number(at) }
  }
  return { before, micros: Number.NaN }
}
