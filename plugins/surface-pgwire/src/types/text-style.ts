import type { ZoneOffset } from '@grainline/core/format'

export const DATE_STYLES = ['ISO', 'SQL', 'Postgres', 'German'] as const
export type DateStyle = (typeof DATE_STYLES)[number]
export const DATE_ORDERS = ['MDY', 'DMY', 'YMD'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

/** The settings of a connection that change the text of a value. */
export interface TextStyle {
  readonly dateStyle: DateStyle
  readonly dateOrder: DateOrder
  /** `extra_float_digits`. */
  readonly floatDigits: number
  /** The zone in which instants are shown. */
  readonly zone: Zone
}

export interface Zone {
  readonly name: string
  /** `undefined` for UTC. */
  readonly offset: ZoneOffset | undefined
}
