import type { Program } from '../language/language.js'
import type { ResultSchema } from '../result/record-batch.js'
import type { SqlCompileResult, SqlLeaf } from './sql-service.js'

/** The compilations of the leaves as that of one statement. Without a program there is nothing around. */
export function asOne(leaves: readonly SqlLeaf[], columns: ResultSchema, program: Program | undefined): SqlCompileResult {
  const compiled = leaves.map((leaf) => leaf.compiled)
  const [only] = compiled
  const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())]
  return {
    kind: program && leaves.length > 0 ? 'around' : 'catalogue',
    sql: compiled.map((each) => each.sql).join(';\n\n'),
    dialect: union(compiled.map((each) => [each.dialect])).join(', '),
    columns,
    resolved: {
      fact_tables: union(compiled.map((each) => each.resolved.fact_tables)),
      dimensions: union(compiled.map((each) => each.resolved.dimensions)),
      measures: union(compiled.map((each) => each.resolved.measures)),
    },
    warnings: [...compiled.flatMap((each) => each.warnings), ...(program?.notices ?? [])],
    sql_valid: compiled.every((each) => each.sql_valid),
    physical_tables: union(compiled.map((each) => each.physical_tables)),
    data_objects: union(compiled.map((each) => each.data_objects)),
    explain: compiled.length === 1 ? only?.explain : undefined,
    leaves,
    around: program && leaves.length > 0 ? program.sql : undefined,
    ownLimit: program?.ownLimit ?? false,
  }
}
