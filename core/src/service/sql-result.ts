import type { Program } from '../language/language.js'
import { STRING } from '../model/data-type.js'
import type { TimeRange, TimeRangeText } from '../resolve/resolved-query.js'
import { batchFromRows } from '../result/column-builder.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'
import type { CompiledModelQuery, SqlCompileResult } from './sql-service.js'
import { refuseSql } from './withheld.js'

/** The compilations of the model queries as that of one statement. Without a program there is no outer statement. */
export function asOne(
  modelQueries: readonly CompiledModelQuery[],
  columns: ResultSchema,
  program: Program | undefined,
): SqlCompileResult {
  const compiled = modelQueries.map((each) => each.compiled)
  const [only] = compiled
  const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())]
  return {
    kind: program && modelQueries.length > 0 ? 'outer' : 'catalogue',
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
    rollups: [...new Map(compiled.flatMap((each) => each.rollups).map((one) => [`${one.rollup} ${one.build}`, one])).values()],
    unchecked_columns: union(compiled.map((each) => each.unchecked_columns)),
    parameters: [...new Map(compiled.flatMap((each) => each.parameters).map((read) => [read.name, read])).values()],
    timeRanges: compiled.flatMap((each) => each.timeRanges),
    explain: compiled.length === 1 ? only?.explain : undefined,
    modelQueries,
    withheld: compiled.some((each) => each.withheld),
    outerSql: program && modelQueries.length > 0 ? program.sql : undefined,
    ownLimit: program?.ownLimit ?? false,
  }
}

export function explainedSql({ modelQueries, outerSql, warnings, withheld }: SqlCompileResult): RecordBatch {
  if (withheld) refuseSql()
  const lines = [
    ...(outerSql === undefined ? [] : ['Evaluated over the answers below:', ...indented(outerSql)]),
    ...modelQueries.flatMap(({ name, model, query, compiled }) => [
      `${outerSql === undefined ? '' : `${name}: `}a query of ${model}, run on ${compiled.dialect}:`,
      ...indented(JSON.stringify(query)),
      ...indented(compiled.sql),
      ...compiled.timeRanges.map(rangeLine),
    ]),
    ...warnings.map(({ code, message }) => `${code}: ${message}`),
  ]
  const none = ['The catalogue answers this statement; it runs on no database.']
  return batchFromRows(
    [{ name: 'QUERY PLAN', type: STRING, role: 'field' }],
    (modelQueries.length > 0 ? lines : none).map((line) => [line]),
  )
}

/** `Growth: Sold 2026-03-01 to 2026-03-15, compared with 2025-03-01 to 2025-03-15`. */
function rangeLine({ metric, time, level, compared, ...own }: TimeRange): string {
  const text = ({ from, to }: TimeRangeText): string => `${from ?? 'the first'} to ${to ?? 'the last'}`
  const by = level.length > 0 ? ` by ${level.join(', ')}` : ''
  return `${metric}${by}: ${time} ${text(own)}${compared ? `, compared with ${text(compared)}` : ''}`
}

const indented = (text: string): string[] => text.split('\n').map((line) => `  ${line}`)
