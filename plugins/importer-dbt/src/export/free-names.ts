/** Names that are taken, without regard to case. Thousands may be the same one in a format that has fewer letters, so the numbers that follow it are counted. */
export class FreeNames {
  readonly #taken: Set<string>
  readonly #next = new Map<string, number>()

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set([...taken].map((name) => name.toUpperCase()))
  }

  /** The name, or the first of its numbered forms that is free; from then on it is taken. */
  take(name: string, numbered: (at: number) => string = (at) => `${name}_${at}`): string {
    const key = name.toUpperCase()
    let free = name
    let at = this.#next.get(key) ?? 2
    for (; this.#taken.has(free.toUpperCase()); at++) free = numbered(at)
    this.#next.set(key, at)
    this.#taken.add(free.toUpperCase())
    return free
  }
}
