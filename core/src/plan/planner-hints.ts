/** What makes a rule for speed worth its while on an engine. Each hint is false unless a dialect sets it, and only rules read hints. */
export interface PlannerHints {
  /** A common table expression that is read twice is computed once. */
  readonly keepsTables: boolean
  /** One that joins groups is computed each time that it is read, unless it is `MATERIALIZED`. */
  readonly keepsIfAsked: boolean
  /** A join by equality is hashed, whatever number of rows is expected, and a full join takes a NULL-safe equality. */
  readonly hashJoins: boolean
  /** GROUP BY takes GROUPING SETS. */
  readonly groupingSets: boolean
  /** Their keys may be expressions. If not, they are columns of a derived table. */
  readonly groupedExpressions: boolean
  /** The set without keys has a row over no rows. If not, a separate SELECT gives the grand total. */
  readonly emptySets: boolean
  /** Two of their keys may be one column, at least in a derived table. If not, a separate SELECT gives each level. */
  readonly repeatedKeys: boolean
  /** The frame of a window over times may begin an interval before each row. If not, the values of the last seven days are joined by a range of days. */
  readonly rangeFrames: boolean
  /** The frame of a window function with an order ends with the last row of the same order. If not, values up to a period are joined by a range of periods. */
  readonly peerFrames: boolean
  /** A join passes no keys to a table that is grouped: rows are limited to the keys that are asked for before they are grouped. */
  readonly asksForKeys: boolean
  /** `IN` with a subquery is evaluated after all outer joins, for each of their rows: it moves into an inner join before them. */
  readonly earlySubqueries: boolean
  /** `ANTI JOIN` is one join, and `NOT EXISTS` with several links is several. */
  readonly antiJoins: boolean
  /** A join may ask for the last row before a time: `ASOF`. If not, the rows of both sides are numbered. */
  readonly asOfJoins: boolean
  /** A table is read row by row, so that a second range of it costs a second pass. If not, each range is read alone: only its blocks, or only its column for all rows. */
  readonly readsByRow: boolean
}

/** No hint: the plan of any engine. */
export const NO_HINTS: PlannerHints = {
  keepsTables: false,
  keepsIfAsked: false,
  hashJoins: false,
  groupingSets: false,
  groupedExpressions: false,
  emptySets: false,
  repeatedKeys: false,
  rangeFrames: false,
  peerFrames: false,
  asksForKeys: false,
  earlySubqueries: false,
  antiJoins: false,
  asOfJoins: false,
  readsByRow: false,
}
