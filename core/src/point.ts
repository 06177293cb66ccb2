/** An extension with its own name at its point. */
export interface Named {
  readonly name: string
}

/** The view of one extension point for plugins and the service. */
export interface Point<T extends Named> extends Iterable<T> {
  register(item: T): void
  /** Throws `UNKNOWN_EXTENSION` with the existing names and the nearest one. */
  get(name: string): T
  has(name: string): boolean
  names(): string[]
}
