/** A statement as a tool writes it, and what it means. */
export interface Shape {
  readonly says: string
  readonly sql: string
  /** The same question by hand, over the tables themselves; its rows are those that the tool must get. */
  readonly means?: string
  /** Instead of an answer: the SQLSTATE, and what the hint must say. */
  readonly refused?: { readonly code: string; readonly hint: RegExp }
  /** A refused question in the words of its hint, and what that means. */
  readonly instead?: { readonly sql: string; readonly means: string }
}

export interface Tool {
  readonly tool: string
  /** Where its vendor says how it writes SQL. */
  readonly source: string
  readonly shapes: readonly Shape[]
}

/** Flights with what the model shows of them. `day` is the day on the clocks of New York. */
export const FLIGHTS = `(SELECT f.*, a.name AS airline, make_date(f.year::INT, f.month::INT, f.day::INT) AS on_day
  FROM flights f LEFT JOIN airlines a ON a.carrier = f.carrier)`
