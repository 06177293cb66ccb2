/**
 * The stream, which frees what it holds also where it is ended before anything was read of it: a generator that was not begun runs none of
 * its `finally`, and none of the streams in it is ended.
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
