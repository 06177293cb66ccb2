/** How many values an operator takes. */
export type ValueCount = 'none' | 'one' | 'two' | 'list' | 'relative' | 'subquery'

export interface OperatorSpec {
  /** Every spelling that a document or a query may use. */
  readonly spellings: readonly string[]
  /** The spelling in formulas. */
  readonly symbol?: string
  readonly takes: ValueCount
  /** What its field and its value must be; by default, a value of the type of the field. */
  readonly of?: 'texts' | 'lengths' | 'moments'
  /** Whether it compares with null. */
  readonly null?: true
  /** Whether it names what is left out. */
  readonly negative?: true
  /** Between the field and its value. */
  readonly says: string
}

/** The operators of filters under one name each. Every other list of operators is made from this table (docs/queries.md). */
export const OPERATORS = {
  eq: { spellings: ['equals', 'eq', '='], symbol: '=', takes: 'one', null: true, says: 'is' },
  neq: { spellings: ['notequals', 'neq', '!=', '<>'], symbol: '!=', takes: 'one', null: true, negative: true, says: 'is not' },
  gt: { spellings: ['gt', '>'], symbol: '>', takes: 'one', says: 'is greater than' },
  gte: { spellings: ['gte', '>='], symbol: '>=', takes: 'one', says: 'is at least' },
  lt: { spellings: ['lt', '<'], symbol: '<', takes: 'one', says: 'is less than' },
  lte: { spellings: ['lte', '<='], symbol: '<=', takes: 'one', says: 'is at most' },
  in: { spellings: ['inlist', 'in'], takes: 'list', null: true, says: 'is one of' },
  not_in: { spellings: ['notinlist', 'not_in'], takes: 'list', null: true, negative: true, says: 'is none of' },
  is_not_null: { spellings: ['set', 'is_not_null'], takes: 'none', says: 'is not empty' },
  is_null: { spellings: ['notset', 'is_null'], takes: 'none', says: 'is empty' },
  blank: { spellings: ['blank'], takes: 'none', says: 'is empty or has only spaces' },
  not_blank: { spellings: ['notblank', 'not_blank'], takes: 'none', negative: true, says: 'has more than spaces' },
  contains: { spellings: ['contains'], takes: 'one', of: 'texts', says: 'contains' },
  not_contains: {
    spellings: ['notcontains', 'not_contains'],
    takes: 'one',
    of: 'texts',
    negative: true,
    says: 'does not contain',
  },
  starts_with: { spellings: ['starts_with'], takes: 'one', of: 'texts', says: 'starts with' },
  ends_with: { spellings: ['ends_with'], takes: 'one', of: 'texts', says: 'ends with' },
  like: { spellings: ['like'], takes: 'one', of: 'texts', says: 'is like' },
  not_like: { spellings: ['notlike', 'not_like'], takes: 'one', of: 'texts', negative: true, says: 'is not like' },
  regex: { spellings: ['regex'], takes: 'one', of: 'texts', says: 'matches' },
  not_regex: { spellings: ['notregex', 'not_regex'], takes: 'one', of: 'texts', negative: true, says: 'does not match' },
  length_eq: { spellings: ['length_eq'], takes: 'one', of: 'lengths', says: 'has this many characters:' },
  length_gt: { spellings: ['length_gt'], takes: 'one', of: 'lengths', says: 'has more characters than' },
  length_lt: { spellings: ['length_lt'], takes: 'one', of: 'lengths', says: 'has fewer characters than' },
  between: { spellings: ['between'], takes: 'two', says: 'is between' },
  not_between: { spellings: ['notbetween', 'not_between'], takes: 'two', negative: true, says: 'is not between' },
  relative: { spellings: ['relative'], takes: 'relative', of: 'moments', says: 'is in the' },
  exists: { spellings: ['exists'], takes: 'subquery', says: 'has rows in' },
  nonexists: { spellings: ['nonexists'], takes: 'subquery', negative: true, says: 'has no rows in' },
} as const satisfies Readonly<Record<string, OperatorSpec>>

export type Operator = keyof typeof OPERATORS

/** The operators with their names, in the order of the table. */
export const operators: readonly (OperatorSpec & { readonly name: Operator })[] = Object.entries(OPERATORS).map(
  ([name, spec]) => ({
    name: name as Operator,
    ...spec,
  }),
)

const bySpelling = new Map<string, Operator>(
  operators.flatMap(({ name, spellings }) => spellings.map((spelling): [string, Operator] => [spelling, name])),
)

/** What an operator is, by its name. */
export const specOf = (operator: Operator): OperatorSpec => OPERATORS[operator]

/** Whether an operator names what is left out. */
export const isNegative = (operator: Operator): boolean => specOf(operator).negative === true

/** The operator of a spelling, case-insensitively; `undefined` when there is none. */
export const operatorOf = (spelling: string): Operator | undefined => bySpelling.get(spelling.toLowerCase())
export const operatorSpellings = (): string[] => [...bySpelling.keys()]

/** Whether the last backslash of a LIKE pattern escapes nothing, which engines refuse or interpret differently. */
export function endsInEscape(pattern: string): boolean {
  let end = pattern.length
  while (pattern[end - 1] === '\\') end--
  return (pattern.length - end) % 2 === 1
}
