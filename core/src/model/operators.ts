/** The operators of filters under one name each, with every spelling that a document or a query may use (docs/filters.md). */
export const OPERATORS = {
  eq: ['equals', 'eq', '='],
  neq: ['notequals', 'neq', '!=', '<>'],
  gt: ['gt', '>'],
  gte: ['gte', '>='],
  lt: ['lt', '<'],
  lte: ['lte', '<='],
  in: ['inlist', 'in'],
  not_in: ['notinlist', 'not_in'],
  is_not_null: ['set', 'is_not_null'],
  is_null: ['notset', 'is_null'],
  blank: ['blank'],
  not_blank: ['notblank', 'not_blank'],
  contains: ['contains'],
  not_contains: ['notcontains', 'not_contains'],
  starts_with: ['starts_with'],
  ends_with: ['ends_with'],
  like: ['like'],
  not_like: ['notlike', 'not_like'],
  regex: ['regex'],
  not_regex: ['notregex', 'not_regex'],
  length_eq: ['length_eq'],
  length_gt: ['length_gt'],
  length_lt: ['length_lt'],
  between: ['between'],
  not_between: ['notbetween', 'not_between'],
  relative: ['relative'],
  exists: ['exists'],
  nonexists: ['nonexists'],
} as const

export type Operator = keyof typeof OPERATORS

const bySpelling = new Map<string, Operator>(
  (Object.entries(OPERATORS) as [Operator, readonly string[]][]).flatMap(([name, spellings]) =>
    spellings.map((s): [string, Operator] => [s, name]),
  ),
)

/** The operator of a spelling, case-insensitively; `undefined` when there is none. */
export const operatorOf = (spelling: string): Operator | undefined => bySpelling.get(spelling.toLowerCase())
export const operatorSpellings = (): string[] => [...bySpelling.keys()]

/** Whether the last backslash of a LIKE pattern escapes nothing, which engines refuse or interpret differently. */
export function endsInEscape(pattern: string): boolean {
  let end = pattern.length
  while (pattern[end - 1] === '\\') end--
  return (pattern.length - end) % 2 === 1
}
