/** Patterns for dates and times: `yyyy-MM-dd HH:mm`, `d MMMM yyyy`, a spreadsheet's `yyyy-mm-dd`, or d3's `%Y-%m-%d`. */

/** A field of a date, by its kind and its number of letters; anything else is text. */
export type DateToken = { readonly kind: DateField; readonly width: number } | { readonly kind: 'text'; readonly text: string }
export type DateField =
  | 'year'
  | 'quarter'
  | 'month'
  | 'day'
  | 'weekday'
  | 'hour'
  | 'hour12'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'noon'

const LETTERS: Readonly<Record<string, DateField>> = {
  y: 'year',
  Y: 'year',
  Q: 'quarter',
  q: 'quarter',
  M: 'month',
  m: 'minute',
  d: 'day',
  D: 'day',
  E: 'weekday',
  H: 'hour',
  h: 'hour12',
  s: 'second',
  S: 'fraction',
  a: 'noon',
}

const PERCENT: Readonly<Record<string, readonly [DateField, number]>> = {
  Y: ['year', 4],
  y: ['year', 2],
  q: ['quarter', 1],
  m: ['month', 2],
  B: ['month', 4],
  b: ['month', 3],
  d: ['day', 2],
  e: ['day', 1],
  A: ['weekday', 4],
  a: ['weekday', 3],
  H: ['hour', 2],
  I: ['hour12', 2],
  M: ['minute', 2],
  S: ['second', 2],
  L: ['fraction', 3],
  p: ['noon', 1],
}

/** `undefined` for a text that is not a date pattern. */
export function parseDatePattern(text: string): readonly DateToken[] | undefined {
  const tokens = text.includes('%') ? percentTokens(text) : letterTokens(text)
  return tokens?.some(({ kind }) => kind !== 'text') ? tokens : undefined
}

function percentTokens(text: string): DateToken[] | undefined {
  const tokens = [...text.matchAll(/%([A-Za-z])|[^%]+/g)].map(([whole, letter]): DateToken | undefined => {
    if (letter === undefined) return { kind: 'text', text: whole }
    const field = PERCENT[letter]
    return field && { kind: field[0], width: field[1] }
  })
  return tokens.includes(undefined) ? undefined : (tokens as DateToken[])
}

function letterTokens(text: string): DateToken[] | undefined {
  const tokens: DateToken[] = []
  for (const [whole, quoted, double, letter] of text.matchAll(/'([^']*)'|"([^"]*)"|([A-Za-z])\3*|[^A-Za-z'"]+/g)) {
    if (letter === undefined) tokens.push({ kind: 'text', text: quoted ?? double ?? whole })
    else {
      const kind = LETTERS[letter]
      if (kind === undefined) return undefined
      tokens.push({ kind, width: whole.length })
    }
  }
  return tokens.map((token) => monthOrMinute(token, tokens))
}

/** A spreadsheet uses the same letters for months and minutes: minutes are next to hours or seconds. */
function monthOrMinute(token: DateToken, tokens: readonly DateToken[]): DateToken {
  if (token.kind !== 'minute') return token
  const fields = tokens.filter(({ kind }) => kind !== 'text')
  const at = fields.indexOf(token)
  const beside = [fields[at - 1]?.kind, fields[at + 1]?.kind]
  const timely = beside.some((kind) => kind === 'hour' || kind === 'hour12' || kind === 'second')
  return timely ? token : { ...token, kind: 'month' }
}
