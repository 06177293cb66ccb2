import type { SqlRelation } from '../language/language.js'

/** A relation under the name that statements and lists of tables have for it. */
export interface NamedTable {
  readonly table: string
  readonly relation: SqlRelation
}

/** The tables of a model that is known by `name`. A view with the name of another table is left out: that name means the other one. */
export function namedTables(name: string, relations: readonly SqlRelation[]): readonly NamedTable[] {
  const tables = relations.map((relation) => ({ table: relation.view?.name ?? `${name}${relation.suffix}`, relation }))
  const taken = new Set(tables.flatMap(({ table, relation }) => (relation.view ? [] : [table.toLowerCase()])))
  return tables.filter(({ table, relation }) => !relation.view || !taken.has(table.toLowerCase()))
}
