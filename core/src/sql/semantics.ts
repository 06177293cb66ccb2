/** What an engine does: `true` if it does what the sentence says. If not, a statement is rewritten before it is rendered. */
export interface Semantics {
  /** `=`, GROUP BY and DISTINCT tell all texts apart. If not (by case, accents or trailing spaces), texts are collated, too. */
  readonly exactText: boolean
  /** ORDER BY can say where NULLs go. If not, NULL is the least value: `x NULLS LAST` → `x IS NULL, x`. */
  readonly nullsOrder: boolean
  /** A SELECT with HAVING or GROUPING SETS can be ordered by what it does not select. If not, a derived table selects the sort keys. */
  readonly hiddenOrder: boolean
  /** An expression in ORDER BY can read a selected column as it was selected. If not, by its output name: `CASE WHEN t.x = …` → `CASE WHEN x = …`. */
  readonly shownOrder: boolean
  /** A selected column without an alias keeps its name. If that is not certain, each gets an alias. */
  readonly columnNames: boolean
  /** MIN and MAX take booleans. If not: `MIN(x)` → `BOOL_AND(x)`, `MAX(x)` → `BOOL_OR(x)`. */
  readonly leastBooleans: boolean
  /** LAG and LEAD take a third argument. If not: `LAG(x, 1, 0)` → `CASE WHEN LAG(1, 1) IS NULL THEN 0 ELSE LAG(x, 1) END`. */
  readonly lagDefault: boolean
  /** ROW_NUMBER, RANK and similar functions are signed. If not, a difference of two fails: they are cast. */
  readonly signedRanks: boolean
  /** DISTINCT goes into every aggregate. If only into counts, sums and averages, others get each value once from a derived table. */
  readonly distinctStatistics: boolean
  /** DISTINCT goes into a list of values. If not, it gets each value once from a derived table. */
  readonly distinctLists: boolean
  /** A list of values takes an ORDER BY. If not, the place of each value, from a derived table, is its second argument. */
  readonly orderedLists: boolean
  /** The first value can be that of keys in mixed directions. If it is that of the least or greatest tuple, rows are numbered. */
  readonly mixedOrders: boolean
  /** IN takes values that the type on its left does not hold. If not, a decimal with more digits is compared with the left side as a decimal that holds it. */
  readonly mixedLists: boolean
  /** A choice between a double and another number is a double. If it has no type, the others are cast to doubles. */
  readonly mixedChoices: boolean
  /** A value of type double is a double when the statement runs. If it may be a whole number there, as in 7 / 2, what is divided is cast to a double. */
  readonly typedDoubles: boolean
  /** LAG and LEAD give NULL where there is no row. If they give 0 for what is never NULL, the value is cast to a type that may be NULL. */
  readonly lagNull: boolean
  /** COUNT is signed. If not, no UNION takes it with a signed number: it is cast. */
  readonly signedCounts: boolean
  /** A window over groups knows their computed keys. If not, any value of a key is all of them: `x + 1` → `MAX(x + 1)`. */
  readonly keysInWindows: boolean
  /** So does a condition on groups. */
  readonly keysInHaving: boolean
  /** A UUID can be compared with a text. If not, it is converted to a text first. */
  readonly comparedUuids: boolean
  /** Windows take doubles as partitions. If not, they are partitioned by their text. */
  readonly doublePartitions: boolean
  /** A sum of whole numbers is wider than they are. If not, they are cast to the type of the sum. */
  readonly wideSums: boolean
  /** Arithmetic and comparisons of decimals are as wide as the result needs. If not, one side is cast to that width. */
  readonly wideDecimals: boolean
  /** Decimal arithmetic beyond 38 digits keeps its scale. If it keeps six digits after the point, both sides are cast to as many digits as fit. */
  readonly longScales: boolean
  /** Whole numbers that leave 64 bits fail. If they start again at the other end, what is computed of two of them is computed of decimals, and fails. */
  readonly overflowGuard: boolean
  /** A cast of NaN or an infinity to a decimal or a whole number is NULL. If it fails, or gives a number, the value passes the function `finite` before. */
  readonly specialCasts: boolean
  /** Statistics of NaN or an infinity are NaN. If not, they are computed of `finite` values alone, and are NaN where others are among them. */
  readonly specialStatistics: boolean
  /** MODE takes all NaN for one value. If not, it is computed by window functions. */
  readonly specialModes: boolean
  /** A percentile between two infinities is one of them. If it is NaN, it is computed by window functions. */
  readonly specialPercentiles: boolean
  /** NaN is greater than other doubles, and equal to itself. If not: `x > y` → `x > y OR is_nan(x)`, and so in MAX. */
  readonly comparedNaN: boolean
  /** NaN comes last in an ORDER BY. If not, `is_nan(x)` is ordered by first. */
  readonly orderedNaN: boolean
  /** SELECT DISTINCT can be ordered by what it does not select. If not, NaN stays where the engine puts it there. */
  readonly distinctOrder: boolean
  /** -0 and 0 are one group. If not, 0 is added to them. */
  readonly plainZero: boolean
  /** Decimals are exact. If they are doubles, what is computed of them is rounded to its scale: `SUM(x)` → `CAST(SUM(x) AS DECIMAL(38, 2))`. */
  readonly exactDecimals: boolean
  /** Dates after 9999-12-31 exist. If not, a date that is moved passes through one 400 years earlier. */
  readonly laterDates: boolean
  /** AVG of whole numbers and decimals is their exact sum as a double. If not, they are cast to doubles. */
  readonly exactAverages: boolean
  /** ROLLUP of no rows has a row for the grand total. If not, its sets are written one by one. */
  readonly emptyRollup: boolean
  /** A key of GROUPING SETS is NULL in the rows of other sets. If one that is never NULL is 0 or an empty text there, the function `nullable` allows NULL. */
  readonly nullKeys: boolean
  /** A correlated EXISTS is accepted, and not evaluated again for each row. If not, it becomes a join. */
  readonly correlated: boolean
  /** A join by an end that may be NULL is found by its equalities. If not, NULL is infinity: `x IS NULL OR t < x` → `t < COALESCE(x, 'infinity')`. */
  readonly openEnds: boolean
  /** A computed key that may be NULL joins a column that is never NULL. If not, the column passes the function `nullable`. */
  readonly computedKeys: boolean
  /** A common table that is read several times is grouped by its columns. If not, by expressions: `GROUP BY t.n` → `GROUP BY COALESCE(t.n)`. */
  readonly sharedKeys: boolean
  /** An outer join can compare by `<` and `>=` alone. If not, it also has an equality that always holds. */
  readonly rangeJoins: boolean
}

const STATED: Readonly<Record<keyof Semantics, true>> = {
  exactText: true,
  nullsOrder: true,
  hiddenOrder: true,
  shownOrder: true,
  columnNames: true,
  leastBooleans: true,
  lagDefault: true,
  signedRanks: true,
  distinctStatistics: true,
  distinctLists: true,
  orderedLists: true,
  mixedOrders: true,
  mixedLists: true,
  mixedChoices: true,
  typedDoubles: true,
  lagNull: true,
  signedCounts: true,
  keysInWindows: true,
  keysInHaving: true,
  comparedUuids: true,
  doublePartitions: true,
  wideSums: true,
  wideDecimals: true,
  longScales: true,
  overflowGuard: true,
  specialCasts: true,
  specialStatistics: true,
  specialModes: true,
  specialPercentiles: true,
  comparedNaN: true,
  orderedNaN: true,
  distinctOrder: true,
  plainZero: true,
  exactDecimals: true,
  laterDates: true,
  exactAverages: true,
  emptyRollup: true,
  nullKeys: true,
  correlated: true,
  openEnds: true,
  computedKeys: true,
  sharedKeys: true,
  rangeJoins: true,
}

/** What each dialect states, or inherits from a relative that does. */
export const SEMANTICS = Object.keys(STATED) as readonly (keyof Semantics)[]
