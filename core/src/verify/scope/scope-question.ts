/** What the data cannot say about the rows of a model, and somebody must. */
export interface ScopeQuestion {
  readonly kind: ScopeKind
  /** The same words for the same question, so that an answer is found again. */
  readonly question: string
  /** The place in the model: `dataObjects.Orders`. */
  readonly path: string
  /** What was seen: rows, values and shares. */
  readonly evidence: string
  /** YAML that would settle it. */
  readonly settle: string
}

/** Each kind of question. */
export type ScopeKind =
  | 'test-rows'
  | 'deleted-rows'
  | 'states'
  | 'tax'
  | 'currencies'
  | 'minor-units'
  | 'header-totals'
  | 'snapshots'
  | 'naive-times'
  | 'spelling'
  | 'repeated-load'
