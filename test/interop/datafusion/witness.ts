import { datafusion } from '../../../examples/dialect-datafusion/index.js'
import type { Witness } from '../witness.js'

/** DataFusion 55 knows no column that stands in ORDER BY under the name of another one of the answer, and says so. */
const CHANGED_AND_SORTED = /\n {2}(?:CAST|COALESCE)\(("[^"]+"\.("[^"]+"))[^\n]+ AS \2,?\n[\s\S]*\nORDER BY (.*, )?\1 /

export const witness: Witness = {
  dialect: datafusion,
  engine: 'Apache DataFusion 55',
  evidence: 'executed',
  unproven: (sql) =>
    CHANGED_AND_SORTED.test(sql) ? 'it confuses a column of ORDER BY with one of the answer that has its name' : undefined,
}
