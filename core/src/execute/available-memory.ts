import { totalmem } from 'node:os'

/** The memory in bytes of the machine, or of the container that this process runs in. */
export function availableMemory(): number {
  const container = process.constrainedMemory()
  return container > 0 ? Math.min(container, totalmem()) : totalmem()
}

const UNITS: Readonly<Record<string, number>> = {
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
}

/** The bytes of a size such as 256MiB. A text that is not a size is no limit. */
export function bytesOfSize(size: string): number {
  const [, number, unit = ''] = /^\s*([\d.]+)\s*([KMGT]i?B)\s*$/i.exec(size) ?? []
  return number === undefined ? Number.POSITIVE_INFINITY : Number(number) * UNITS[unit.toUpperCase()]!
}
