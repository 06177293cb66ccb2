/** A value for each pair of objects, as long as both exist. */
export class WeakPairs<A extends object, B extends object, V> {
  readonly #values = new WeakMap<A, WeakMap<B, V>>()

  get(one: A, other: B): V | undefined {
    return this.#values.get(one)?.get(other)
  }

  set(one: A, other: B, value: V): void {
    const values = this.#values.get(one) ?? new WeakMap<B, V>()
    values.set(other, value)
    this.#values.set(one, values)
  }
}
