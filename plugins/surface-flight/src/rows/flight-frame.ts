/** A message of Arrow's IPC format as `FlightData` in its bytes: nothing is encoded twice. */
import { type ArrowMessage, writeBody } from '@grainline/core'

/** Tags of the fields `data_header` (2) and `data_body` (1000), both delimited. */
const HEADER_TAG = Buffer.of(0x12)
const BODY_TAG = Buffer.of(0xc2, 0x3e)

export function flightFrame({ header, buffers, bodyLength }: ArrowMessage): Buffer {
  const head = Buffer.concat([HEADER_TAG, varint(header.length)])
  const body = bodyLength === 0 ? Buffer.alloc(0) : Buffer.concat([BODY_TAG, varint(bodyLength)])
  const at = head.length + header.length
  const frame = Buffer.allocUnsafe(at + body.length + bodyLength)
  frame.set(head, 0)
  frame.set(header, head.length)
  frame.set(body, at)
  writeBody(buffers, frame, at + body.length)
  return frame
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest & 127) | 128)
  bytes.push(rest)
  return Buffer.from(bytes)
}
