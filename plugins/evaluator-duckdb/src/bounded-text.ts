/**
 * Functions that make long texts from short ones. DuckDB's memory limit does not include the results of a function for one chunk of rows, so each
 * checks the length before it makes anything. Every argument is written once, however deeply calls are nested.
 */

/** Characters of a text that a statement makes of others. */
const MOST_CHARACTERS = 20_000
/** The beginning of the error message. */
export const TOO_LONG = `A text would have more than ${MOST_CHARACTERS} characters`

type Spelled = (args: readonly string[]) => string

export const joined: Spelled = (args) =>
  bounded(
    args,
    (lengths) => lengths.join(' + '),
    (values) => values.join(' || '),
  )

export const concatenated: Spelled = (args) =>
  bounded(
    args,
    (lengths) => lengths.join(' + '),
    (values) => `CONCAT(${values.join(', ')})`,
  )

export const concatenatedWith: Spelled = (args) =>
  bounded(
    args,
    ([separator = '0', ...lengths]) => [...lengths, ...lengths.map(() => separator)].join(' + ') || '0',
    (values) => `CONCAT_WS(${values.join(', ')})`,
  )

export const replaced: Spelled = (args) => bounded(args, replacedLength, (values) => `REPLACE(${values.join(', ')})`)

export const replacedByPattern: Spelled = (args) =>
  bounded(args, replacedLength, (values) => `REGEXP_REPLACE(${values.join(', ')})`)

/** An empty part is found before each character, too. */
const replacedLength = ([text = '0', , by = '0']: readonly string[]): string => `(${text} + 1) * GREATEST(1, ${by})`

/** Literals are not moved: a pattern that is not a literal would be parsed again for each row. */
const LITERAL = /^'(?:[^']|'')*'$/

function bounded(args: readonly string[], size: Spelled, call: Spelled): string {
  const given = args.map((arg, i) => (LITERAL.test(arg) ? undefined : `a${i}: ${arg}`)).filter((field) => field !== undefined)
  const values = args.map((arg, i) => (LITERAL.test(arg) ? arg : `v['a${i}']`))
  if (given.length === 0) return call(values)
  const lengths = values.map((value) => `COALESCE(LENGTH(CAST(${value} AS VARCHAR)), 0)`)
  const body = `CASE WHEN ${size(lengths)} > ${MOST_CHARACTERS} THEN error('${TOO_LONG}') ELSE ${call(values)} END`
  return `LIST_TRANSFORM([{${given.join(', ')}}], lambda v: ${body})[1]`
}
