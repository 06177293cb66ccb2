/** Where something stands in the text; all count from 1, `position` in characters from the start. */
export interface Place {
  readonly position: number
  readonly line: number
  readonly column: number
}
