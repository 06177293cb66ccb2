/** Writers of dates, times of day and timestamps. Binary values count from 2000-01-01; the extreme values stand for the infinities. */
import { type ColumnVector, INFINITE_DAYS, INFINITE_MICROS } from '@grainline/core/format'
import type { MessageWriter, ValueWriter } from '../wire/message-writer.js'
import { isBeforeChrist, offsetText, splitDay, writeBC, writeClock, writeDate } from './date-text.js'
import { isSet, writeInt64Binary } from './scalar-writers.js'
import { styledDate, styledTimestamp } from './styled-dates.js'
import type { TextStyle, Zone } from './text-style.js'

type Dates = ColumnVector & { readonly kind: 'date32' }
type Micros = ColumnVector & { readonly kind: 'int64' }

const EPOCH_DAYS = 10_957
const EPOCH_MICROS = 946_684_800_000_000n
const LEAST_DAYS = -2_147_483_648
const LEAST_MICROS = -(2n ** 63n)

export function writeDateBinary({ validity, values }: Dates): ValueWriter {
  return (out, row) => {
    if (validity !== undefined && !isSet(validity, row)) return false
    const days = values[row]!
    out.int32(days === INFINITE_DAYS ? days : days === -INFINITE_DAYS ? LEAST_DAYS : days - EPOCH_DAYS)
    return true
  }
}

export function writeDateText({ validity, values }: Dates, style: TextStyle): ValueWriter {
  return (out, row) => {
    if (validity !== undefined && !isSet(validity, row)) return false
    const days = values[row]!
    if (days === INFINITE_DAYS) out.ascii('infinity')
    else if (days === -INFINITE_DAYS) out.ascii('-infinity')
    else if (style.dateStyle !== 'ISO') out.ascii(styledDate(days, style))
    else writeIsoDate(out, days)
    return true
  }
}

function writeIsoDate(out: MessageWriter, days: number): void {
  out.ensure(24)
  const at = writeDate(out.bytes, out.pos, days)
  out.pos = isBeforeChrist(days) ? writeBC(out.bytes, at) : at
}

export const writeTimeBinary = writeInt64Binary

export function writeTimeText({ validity, values }: Micros): ValueWriter {
  return (out, row) => {
    if (validity !== undefined && !isSet(validity, row)) return false
    out.ensure(16)
    out.pos = writeClock(out.bytes, out.pos, Number(values[row]!))
    return true
  }
}

export function writeTimestampBinary({ validity, values }: Micros): ValueWriter {
  return (out, row) => {
    if (validity !== undefined && !isSet(validity, row)) return false
    const micros = values[row]!
    out.ensure(8)
    out.bytes.writeBigInt64BE(sinceEpoch(micros), out.pos)
    out.pos += 8
    return true
  }
}

const sinceEpoch = (micros: bigint): bigint =>
  micros === INFINITE_MICROS ? micros : micros === -INFINITE_MICROS ? LEAST_MICROS : micros - EPOCH_MICROS

/** With a zone, the values are instants, shown as local time with the offset. Without one they are local times. */
export function writeTimestampText({ validity, values }: Micros, style: TextStyle, zone: Zone | undefined): ValueWriter {
  return (out, row) => {
    if (validity !== undefined && !isSet(validity, row)) return false
    const instant = values[row]!
    if (instant === INFINITE_MICROS) out.ascii('infinity')
    else if (instant === -INFINITE_MICROS) out.ascii('-infinity')
    else {
      const offset = zone === undefined ? undefined : (zone.offset?.(instant) ?? 0)
      const wall = offset === undefined ? instant : instant + BigInt(offset) * 1_000_000n
      if (style.dateStyle === 'ISO') writeIsoTimestamp(out, wall, offset)
      else out.ascii(styledTimestamp(wall, offset, style))
    }
    return true
  }
}

function writeIsoTimestamp(out: MessageWriter, wall: bigint, offset: number | undefined): void {
  const { days, micros } = splitDay(wall)
  out.ensure(48)
  const { bytes } = out
  let at = writeDate(bytes, out.pos, days)
  bytes[at] = 32
  at = writeClock(bytes, at + 1, micros)
  out.pos = at
  if (offset !== undefined) out.ascii(offsetText(offset))
  if (isBeforeChrist(days)) out.pos = writeBC(bytes, out.pos)
}
