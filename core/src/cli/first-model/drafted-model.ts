import { fail } from '../../errors.js'
import type { IntrospectedTable } from '../../execute/introspection.js'
import type { VendorConnection } from '../../execute/vendor.js'
import type { Host } from '../../host/plugin.js'
import { catalogueOf } from '../../service/catalogue.js'
import { chosenTables } from './chosen-tables.js'
import { databaseProbe, noProbe } from './database-probe.js'
import { withExamples } from './examples.js'
import { type FirstModel, firstModel } from './first-model.js'
import { withScope } from './scope.js'

/** Which tables the draft has, and whether their rows are asked. */
export interface DraftOptions {
  /** Default: all. */
  readonly schema?: string | undefined
  readonly views?: boolean | undefined
  /** False: only what the database declares counts. Default: the rows are asked, too. */
  readonly probes?: boolean
  /** Default: that of the schema, if the tables have only one that somebody named. */
  readonly name?: string | undefined
  readonly now?: Date
}

/** A draft, what its file says first, and the number of its tables. */
export interface DraftedModel extends FirstModel {
  readonly head: readonly string[]
  readonly tables: number
}

/** A first model of the tables that a connection may read. Throws `UNSUPPORTED_FEATURE` and `DATABASE_ERROR` if there are none. */
export async function draftedModel(
  host: Pick<Host, 'vendors' | 'dialects' | 'functions' | 'aggregates'>,
  vendorName: string,
  connection: VendorConnection,
  { schema, views = false, probes = true, name, now = new Date() }: DraftOptions = {},
): Promise<DraftedModel> {
  const { dialect: dialectName } = host.vendors.get(vendorName)
  const listed =
    (await connection.introspect?.()) ??
    fail('UNSUPPORTED_FEATURE', `'${vendorName}' cannot list the tables of its database; write the model by hand`)
  const ofSchema = listed.filter((table) => schema === undefined || table.schema === schema)
  const { tables, notes: head } = chosenTables(ofSchema, views)
  if (tables.length === 0) fail('DATABASE_ERROR', 'The database has no table that this connection may read')
  const database = { connection, dialect: host.dialects.get(dialectName), catalogue: catalogueOf(host)(), now }
  const drafted = await firstModel(name ?? nameOf(tables), tables, probes ? databaseProbe(database) : noProbe)
  const answering = withExamples(drafted, database.catalogue)
  const first = probes ? await withScope(answering, tables, database) : answering
  return { ...first, head, tables: tables.length }
}

/** The model is called as the schema of its tables. */
function nameOf(tables: readonly IntrospectedTable[]): string {
  const schemas = new Set(tables.map(({ schema }) => schema))
  const [schema] = schemas.size === 1 ? schemas : []
  return schema === undefined || NAMELESS.has(schema.toLowerCase()) ? 'first model' : schema
}

/** Schemas that databases have without anyone naming them. */
const NAMELESS = new Set(['public', 'main', 'dbo', 'default'])
