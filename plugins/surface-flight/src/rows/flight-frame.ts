/**
 * A message of the Arrow IPC format as `FlightData`. The column buffers are copied only once, into the memory that gRPC sends.
 */
import { type ArrowMessage, writeBody } from '@grainline/core/format'
import type { Sendable } from '../server/outlet.js'

/** The tags of the fields `data_header` (2) and `data_body` (1000), which are length-delimited. */
const HEADER_TAG = Buffer.of(0x12)
const BODY_TAG = Buffer.of(0xc2, 0x3e)

export function flightFrame({ header, buffers, bodyLength }: ArrowMessage): Sendable {
  const lead = [HEADER_TAG, varint(header.length), header]
  const head = Buffer.concat(bodyLength === 0 ? lead : [...lead, BODY_TAG, varint(bodyLength)])
  return {
    byteLength: head.length + bodyLength,
    copy(target, at) {
      target.set(head, at)
      writeBody(buffers, target, at + head.length)
    },
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest & 127) | 128)
  bytes.push(rest)
  return Buffer.from(bytes)
}
