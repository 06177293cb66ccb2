/** A statement as a tool writes it, and its meaning. */
export interface Shape {
  readonly says: string
  readonly sql: string
  /** The same query in hand-written SQL over the tables themselves; the tool must get its rows. */
  readonly means?: string
  /** Instead of an answer: the SQLSTATE, and a pattern for the hint. */
  readonly refused?: { readonly code: string; readonly hint: RegExp }
  /** A refused query rewritten as its hint says, and its meaning. */
  readonly instead?: { readonly sql: string; readonly means: string }
}

export interface Tool {
  readonly tool: string
  /** The page of the vendor about its SQL. */
  readonly source: string
  readonly shapes: readonly Shape[]
}

/** Flights with the fields of the model. `day` is the date in New York. */
export const FLIGHTS = `(SELECT f.*, a.name AS airline, make_date(f.year::INT, f.month::INT, f.day::INT) AS on_day
  FROM flights f LEFT JOIN airlines a ON a.carrier = f.carrier)`
