import { datafusion } from '../../../examples/dialect-datafusion/index.js'
import type { Witness } from '../witness.js'

/** DataFusion 55 knows no column that stands in ORDER BY under the name of another one of the answer, and says so. */
const CHANGED_AND_SORTED = /\n {2}(?:CAST|COALESCE)\(("[^"]+"\.("[^"]+"))[^\n]+ AS \2,?\n[\s\S]*\nORDER BY (.*, )?\1 /

/**
 * Where rows are made distinct over a join with a table that was made distinct itself, DataFusion 55 takes the key of that table for a key of
 * the rows: of groups by it and by other columns, which are grouped once more by it alone, it forgets the other columns.
 */
const GROUPED_IN_WINDOWS = /\) AS "in_window(?:_\d+)?"\n\s*GROUP BY [^\n]+\n\s*\) AS "groups/
/** The least statement that shows it: the answer is 3.5. */
export const FORGETS_GROUPS = `WITH x AS (SELECT 1 AS d, 3 AS q, 3 AS k UNION ALL SELECT 1, CAST(NULL AS BIGINT), 4)
SELECT d, AVG(v) AS v
FROM (
  SELECT d, q, MAX(k) AS v
  FROM (SELECT DISTINCT p.d AS d, c.q AS q, c.k AS k FROM (SELECT DISTINCT d FROM x) AS p JOIN x AS c ON c.d <= p.d) AS w
  GROUP BY 1, 2
) AS g
GROUP BY 1`

/** That a CASE gives a value that it has compared with one that is never NULL is taken into account in the logical plan, and not in the physical one. */
const COMPARED_IN_CASE = /CASE WHEN (.+) [<>]=? COALESCE\(.+ THEN \1 ELSE /
/** The least statement that shows it: an internal error. */
export const FORGETS_NULLS = `SELECT VAR_POP(g) AS v
FROM (
  SELECT k, CASE WHEN MAX(v) > COALESCE(MAX(k), 0) THEN MAX(v) ELSE 1 END AS g
  FROM (SELECT 1 AS k, CAST(NULL AS DOUBLE) AS v) AS x
  GROUP BY 1
) AS y`

const FAULTS: readonly (readonly [RegExp, string])[] = [
  [CHANGED_AND_SORTED, 'it confuses a column of ORDER BY with one of the answer that has its name'],
  [GROUPED_IN_WINDOWS, 'it forgets columns that groups of windows are apart in'],
  [COMPARED_IN_CASE, 'its two plans differ in whether such a CASE may be NULL'],
]

export const witness: Witness = {
  dialect: datafusion,
  engine: 'Apache DataFusion 55',
  evidence: 'executed',
  unproven: (sql) => FAULTS.find(([statement]) => statement.test(sql))?.[1],
}
