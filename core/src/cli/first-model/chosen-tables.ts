import type { IntrospectedTable } from '../../execute/introspection.js'

/** The tables of a model, and why the others are not in it. */
export interface ChosenTables {
  readonly tables: readonly IntrospectedTable[]
  /** Sentences for the head of the model. */
  readonly notes: readonly string[]
}

/** Tables of tools that change or describe the schema. */
const HOUSEKEEPING =
  /^(schema_migrations|ar_internal_metadata|flyway_schema_history|schema_version|alembic_version|django_migrations|databasechangelog(lock)?|__efmigrationshistory|_?prisma_migrations|knex_migrations(_lock)?|spatial_ref_sys|geometry_columns|sysdiagrams|sqlite_sequence|pg_stat_statements(_info)?)$/i

/** All tables, without partitions and the tables of migrations. Views repeat tables, so they are in the model on request, or if there is no table. */
export function chosenTables(all: readonly IntrospectedTable[], withViews: boolean): ChosenTables {
  const views = all.filter(({ isView }) => isView === true)
  const stored = all.filter(({ isView }) => isView !== true)
  const housekeeping = stored.filter(({ name }) => HOUSEKEEPING.test(name))
  const partitions = stored.filter((table) => parentOf(table, stored) !== undefined)
  const own = stored.filter((table) => !housekeeping.includes(table) && !partitions.includes(table))
  const takesViews = withViews || own.length === 0
  return {
    // A view comes after the tables, so that a guess prefers them.
    tables: [...own, ...(takesViews ? views : [])],
    notes: [
      ...(takesViews || views.length === 0 ? [] : [`left out, as they are views: ${listed(views)}; --views adds them`]),
      ...(partitions.length === 0
        ? []
        : [
            `left out, as they have the columns of another table and its name with a suffix, as partitions do: ${listed(partitions)}`,
          ]),
      ...(housekeeping.length === 0 ? [] : [`left out, as they are tables of migrations: ${listed(housekeeping)}`]),
    ],
  }
}

/** A partition has the columns of its parent, and its name with a suffix with digits: `payment_p2007_01`, `events_2024`. */
function parentOf(table: IntrospectedTable, tables: readonly IntrospectedTable[]): IntrospectedTable | undefined {
  if (!/\d$/.test(table.name)) return undefined
  return tables.find(
    (other) =>
      other !== table &&
      other.schema === table.schema &&
      table.name.startsWith(`${other.name}_`) &&
      spelled(other) === spelled(table),
  )
}

const spelled = ({ columns }: IntrospectedTable): string => JSON.stringify(columns.map(({ name, sqlType }) => [name, sqlType]))

const listed = (tables: readonly IntrospectedTable[]): string => tables.map(({ name }) => name).join(', ')
