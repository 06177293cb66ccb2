/**
 * The stream, which releases its resources also if it is ended before it was read: a generator that was not started runs none of its
 * `finally` blocks, so its inner streams would not be ended.
 */
export function endable<T>(source: AsyncIterable<T>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = source[Symbol.asyncIterator]()
      let begun = false
      return {
        next() {
          begun = true
          return iterator.next()
        },
        async return() {
          if (!begun) await iterator.next().catch(() => undefined)
          begun = true
          return (await iterator.return?.()) ?? { done: true as const, value: undefined }
        },
      }
    },
  }
}
