const text = { type: 'string' } as const
const several = { type: 'string', multiple: true } as const

/** The forms of a query: JSON, a statement of SQL, or fields by name. */
export const questionFlags = {
  query: { ...text, short: 'q' },
  sql: text,
  dimension: { ...several, short: 'd' },
  measure: { ...several, short: 'm' },
  where: { ...several, short: 'w' },
  having: several,
  order: { ...several, short: 'o' },
  limit: { ...text, short: 'n' },
  offset: text,
  timezone: text,
  parameter: several,
  rollups: text,
  dialect: text,
} as const

export interface QuestionFlags {
  readonly query?: string | undefined
  readonly sql?: string | undefined
  readonly dimension?: readonly string[] | undefined
  readonly measure?: readonly string[] | undefined
  readonly where?: readonly string[] | undefined
  readonly having?: readonly string[] | undefined
  readonly order?: readonly string[] | undefined
  readonly limit?: string | undefined
  readonly offset?: string | undefined
  readonly timezone?: string | undefined
  readonly rollups?: string | undefined
  /** `Name=value`; several of one name are a list. */
  readonly parameter?: readonly string[] | undefined
}
