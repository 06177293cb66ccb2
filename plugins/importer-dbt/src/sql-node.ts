/** Nodes of PostgreSQL's grammar. */

export type Body = Readonly<Record<string, unknown>>

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** What a node has if it is of a kind. */
export const body = (node: unknown, kind: string): Body | undefined =>
  (node as Readonly<Record<string, Body>> | undefined)?.[kind]

export const wordsOf = (names: unknown): string[] => listOf(names).map((name) => String(body(name, 'String')?.['sval'] ?? '*'))
