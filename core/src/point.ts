/** What has a name of its own among its kind. */
export interface Named {
  readonly name: string
}

/** What a plugin and the service see of one extension point. */
export interface Point<T extends Named> extends Iterable<T> {
  register(item: T): void
  /** Throws `UNKNOWN_EXTENSION` with the names that are there and the nearest. */
  get(name: string): T
  has(name: string): boolean
  names(): string[]
}
