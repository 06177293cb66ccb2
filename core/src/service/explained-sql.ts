/** What EXPLAIN answers: the statements that would run, one line per row. */
import { STRING } from '../model/data-type.js'
import { batchFromRows } from '../result/column-builder.js'
import type { RecordBatch } from '../result/record-batch.js'
import type { SqlCompileResult } from './sql-service.js'

export function explainedSql({ modelQueries, outerSql, warnings }: SqlCompileResult): RecordBatch {
  const lines = [
    ...(outerSql === undefined ? [] : ['Evaluated over the answers below:', ...indented(outerSql)]),
    ...modelQueries.flatMap(({ name, model, query, compiled }) => [
      `${outerSql === undefined ? '' : `${name}: `}a query of ${model}, run on ${compiled.dialect}:`,
      ...indented(JSON.stringify(query)),
      ...indented(compiled.sql),
    ]),
    ...warnings.map(({ code, message }) => `${code}: ${message}`),
  ]
  const none = ['The catalogue answers this statement; it runs on no database.']
  return batchFromRows(
    [{ name: 'QUERY PLAN', type: STRING, role: 'field' }],
    (modelQueries.length > 0 ? lines : none).map((line) => [line]),
  )
}

const indented = (text: string): string[] => text.split('\n').map((line) => `  ${line}`)
