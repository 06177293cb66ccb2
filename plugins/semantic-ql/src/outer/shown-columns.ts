/** A measure that does not add up, in a column of a relation. */
export interface Shown {
  readonly measure: string
  readonly model: string
  /** The subselect says by itself which groups it is of. */
  readonly finished: boolean
}

export type ShownColumns = ReadonlyMap<string, readonly Shown[]>
