/** The protocol by which BI tools reach a model, under the names that they have for it. */
export const PROTOCOL = {
  /** The scheme of addresses. */
  scheme: 'postgresql',
  /** The kind of a connection. */
  kind: 'postgres',
  odbc: 'PostgreSQL Unicode(x64)',
} as const
