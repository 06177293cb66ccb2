/** How the content of a field is delimited: the lowest three bits of its tag. */
export const WIRE = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const
