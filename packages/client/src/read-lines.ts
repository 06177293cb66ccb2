/** The values of a body of NDJSON, as they arrive. Ending early ends the request. */
export async function* readLines<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let ended = false
  try {
    while (!ended) {
      const { done, value } = await reader.read()
      ended = done
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
      rest = done ? '' : lines.pop()!
      for (const line of lines) if (line !== '') yield JSON.parse(line) as T
    }
  } finally {
    if (!ended) await reader.cancel()
    reader.releaseLock()
  }
}
