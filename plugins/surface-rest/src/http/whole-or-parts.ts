type Piece = Uint8Array | string

/** So many bytes are held back, in the hope that the answer ends before there are more. */
const MOST_BYTES = 64 * 1024
/** And for so long: a client that reads along does not wait for rows that take their time. */
const LONGEST_MS = 10

/**
 * The whole of a small answer that is there at once, which needs one write and carries its length; of any other the pieces as they come.
 * Rejects with what fails before anything was sent.
 */
export async function wholeOrParts(pieces: AsyncIterable<Piece>): Promise<Buffer | AsyncIterable<Piece>> {
  const iterator = pieces[Symbol.asyncIterator]()
  const held: Buffer[] = []
  const deadline = after(LONGEST_MS)
  try {
    for (let bytes = 0; bytes < MOST_BYTES; bytes += held.at(-1)!.length) {
      const next = iterator.next()
      const found = await Promise.race([next, deadline.over])
      if (found === undefined) return partsFrom(held, iterator, next)
      if (found.done) return Buffer.concat(held)
      held.push(Buffer.from(found.value))
    }
    return partsFrom(held, iterator, iterator.next())
  } finally {
    deadline.end()
  }
}

async function* partsFrom(
  held: readonly Piece[],
  iterator: AsyncIterator<Piece>,
  pending: Promise<IteratorResult<Piece>>,
): AsyncGenerator<Piece> {
  // It is awaited after what was held has been read; until then its failure is no unhandled one.
  pending.catch(() => {})
  try {
    yield* held
    for (let next = await pending; !next.done; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}

function after(milliseconds: number) {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  })
  return { over, end: () => clearTimeout(timer) }
}
