import { createHash } from 'node:crypto'
import type { ArrowMessage } from '@grainline/core/surface'

/** Tells whether two schemas are the same to the last byte. */
export const columnsHash = ({ header }: ArrowMessage): string =>
  createHash('sha256').update(header).digest('base64url').slice(0, 16)
