/** An archive of texts, without compression. */
export function zipped(files: readonly { readonly name: string; readonly content: string }[]): Uint8Array {
  let offset = 0
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  for (const { name, content } of files) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(content)]
    const common = Buffer.alloc(26)
    // Version 2.0, names in UTF-8, stored, 1980-01-01.
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800, 2)
    common.writeUInt16LE(0x21, 8)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([signature(0x04034b50), common, path, bytes])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([signature(0x02014b50), common.subarray(0, 2), common, rest, path]))
    parts.push(local)
    offset += local.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, ...directory, signature(0x06054b50), end])
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
