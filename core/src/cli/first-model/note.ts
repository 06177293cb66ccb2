/** A comment on a part of a model document. */
export interface Note {
  readonly path: readonly (string | number)[]
  readonly text: string
}
