/** The format TabSeparated: https://clickhouse.com/docs/interfaces/formats/TabSeparated */
import type { TextRow } from '@grainline/core/vendor'

const SIGNS: Readonly<Record<string, string>> = { b: '\b', f: '\f', r: '\r', n: '\n', t: '\t', 0: '\0' }

/** The cells of a line; `\N` is NULL. */
export const rowOf = (line: string): TextRow => line.split('\t').map((cell) => (cell === '\\N' ? null : textOf(cell)))

const textOf = (cell: string): string =>
  cell.includes('\\') ? cell.replace(/\\(.)/gs, (_, sign: string) => SIGNS[sign] ?? sign) : cell
