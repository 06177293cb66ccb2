export type Cell = string | number | boolean | null

/** The rows of an answer, with the names of their columns. */
export interface Answer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}
