/** A place in the text. All numbers count from 1; `position` is in characters from the start. */
export interface Place {
  readonly position: number
  readonly line: number
  readonly column: number
}
