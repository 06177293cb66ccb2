/** A stored value with its key and its times, because not every store of Keyv can tell them: a length, JSON, and the bytes. */
export interface Envelope {
  readonly key: string
  readonly storedAt: number
  readonly expiresAt: number
  readonly value: Uint8Array
}

const LENGTH_BYTES = 4

export function sealed({ value, ...times }: Envelope): Buffer {
  const head = Buffer.from(JSON.stringify(times))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(head.byteLength)
  return Buffer.concat([length, head, value])
}

/** `undefined` for a value that is none of ours. */
export function opened(bytes: unknown): Envelope | undefined {
  if (!(bytes instanceof Uint8Array) || bytes.byteLength < LENGTH_BYTES) return undefined
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = LENGTH_BYTES + buffer.readUInt32LE()
  if (start > buffer.byteLength) return undefined
  const head = headOf(buffer.toString('utf8', LENGTH_BYTES, start))
  return head && { ...head, value: buffer.subarray(start) }
}

function headOf(text: string): Omit<Envelope, 'value'> | undefined {
  try {
    const { key, storedAt, expiresAt }: Readonly<Record<string, unknown>> = JSON.parse(text)
    if (typeof key === 'string' && typeof storedAt === 'number' && typeof expiresAt === 'number')
      return { key, storedAt, expiresAt }
  } catch {
    // Another program's value.
  }
  return undefined
}
