/** A stream that says, while it is read, how much of an answer has come: rows where a line is one, else bytes. */
export interface Counted {
  readonly body: ReadableStream<Uint8Array>
  readonly come: () => string
}

export function counted(body: ReadableStream<Uint8Array>, format: string): Counted {
  let [bytes, lines] = [0, 0]
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.byteLength
      if (format === 'ndjson') for (const byte of piece) if (byte === LINE_FEED) lines += 1
      controller.enqueue(piece)
    },
  })
  const come = () => (format === 'ndjson' ? `${lines} ${lines === 1 ? 'row' : 'rows'}` : `${(bytes / 1e6).toFixed(1)} MB`)
  return { body: body.pipeThrough(count), come }
}

const LINE_FEED = 10
