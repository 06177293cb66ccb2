type Piece = Uint8Array | string

/** An answer is held back up to this size. */
const MOST_BYTES = 64 * 1024
/** It is held back no longer than this, so that a client of slow rows gets the first ones. */
const LONGEST_MS = 10

/**
 * A small answer that is soon complete as one buffer, which needs one write and has a known length. Any other answer as its pieces.
 * Rejects with a failure that happens before anything is sent.
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
  // The promise is awaited after the held pieces have been read. Until then its failure must not count as unhandled.
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
