import { datafusion } from '../../../examples/dialect-datafusion/index.js'
import type { Witness } from '../witness.js'

/** DataFusion 55 does not find a column in ORDER BY if another column of the answer has its name, and reports an error. */
const CHANGED_AND_SORTED = /\n {2}(?:CAST|COALESCE)\(("[^"]+"\.("[^"]+"))[^\n]+ AS \2,?\n[\s\S]*\nORDER BY (.*, )?\1 /

/**
 * If rows are made distinct over a join with a table that was made distinct itself, DataFusion 55 uses the key of that table as a key of
 * the rows: if groups by it and other columns are grouped again by it alone, the other columns are lost.
 */
const GROUPED_IN_WINDOWS = /\) AS "in_window(?:_\d+)?"\n\s*GROUP BY [^\n]+\n\s*\) AS "groups/
/** The smallest statement that shows the fault: the correct answer is 3.5. */
export const FORGETS_GROUPS = `WITH x AS (SELECT 1 AS d, 3 AS q, 3 AS k UNION ALL SELECT 1, CAST(NULL AS BIGINT), 4)
SELECT d, AVG(v) AS v
FROM (
  SELECT d, q, MAX(k) AS v
  FROM (SELECT DISTINCT p.d AS d, c.q AS q, c.k AS k FROM (SELECT DISTINCT d FROM x) AS p JOIN x AS c ON c.d <= p.d) AS w
  GROUP BY 1, 2
) AS g
GROUP BY 1`

/** The logical plan knows that a CASE cannot be NULL if it compared its value with one that is never NULL; the physical plan does not. */
const COMPARED_IN_CASE = /CASE WHEN (.+) [<>]=? COALESCE\(.+ THEN \1 ELSE /
/** The smallest statement that shows the fault: an internal error. */
export const FORGETS_NULLS = `SELECT VAR_POP(g) AS v
FROM (
  SELECT k, CASE WHEN MAX(v) > COALESCE(MAX(k), 0) THEN MAX(v) ELSE 1 END AS g
  FROM (SELECT 1 AS k, CAST(NULL AS DOUBLE) AS v) AS x
  GROUP BY 1
) AS y`

/** An ARROW_CAST in the order of an aggregate is not made the cast that it is, and the engine reports an internal error. */
const CAST_IN_ORDER = /STRING_AGG\([^\n]* ORDER BY [^\n]*ARROW_CAST\(/

const FAULTS: readonly (readonly [RegExp, string])[] = [
  [CHANGED_AND_SORTED, 'it confuses a column of ORDER BY with one of the answer that has its name'],
  [GROUPED_IN_WINDOWS, 'it forgets columns that groups of windows are apart in'],
  [CAST_IN_ORDER, 'it does not simplify ARROW_CAST in the order of an aggregate'],
  [COMPARED_IN_CASE, 'its two plans differ in whether such a CASE may be NULL'],
]

export const witness: Witness = {
  dialect: datafusion,
  engine: 'Apache DataFusion 55',
  evidence: 'executed',
  unproven: (sql) => FAULTS.find(([statement]) => statement.test(sql))?.[1],
}
