/** SQL of Databricks → the grammar of the reader: names in quotes, paths of joins as one name. */

export interface Written {
  readonly sql: string
  /** Why it cannot be read. */
  readonly odd: string | undefined
  /** Words without a path, and columns after `source`: in capitals, with what is no column. */
  readonly alone: ReadonlySet<string>
  readonly ofSource: ReadonlySet<string>
  /** The paths of joins, in capitals. */
  readonly paths: ReadonlySet<string>
}

/**
 * Names with dots are a path of joins and a column: `customer.nation.name` is the column `name` of the table `customer.nation`. `parameters` are names, in
 * capitals, that a question gives a value.
 */
export function readable(sql: string, parameters: ReadonlySet<string>): Written {
  const written: string[] = []
  const [alone, ofSource, paths] = [new Set<string>(), new Set<string>(), new Set<string>()]
  if (sql.length > MOST_CHARACTERS) return { sql, odd: `it has more than ${MOST_CHARACTERS} characters`, alone, ofSource, paths }
  let odd: string | undefined
  TOKEN.lastIndex = 0
  for (let token = TOKEN.exec(sql); token !== null; token = TOKEN.exec(sql)) {
    const { names, text, blank, other } = token.groups ?? {}
    if (names !== undefined) {
      const words = pathOf(names)
      const [first = '', second] = words.map((word) => word.toUpperCase())
      odd ??= oddName(words, parameters)
      if (second !== undefined && /^\s*\(/.test(sql.slice(TOKEN.lastIndex)))
        odd ??= `the function '${words.join('.')}' is not known here`
      // Without backticks, a word of the grammar is no name.
      if (second !== undefined && first === 'SOURCE') ofSource.add(second)
      else if (second !== undefined) paths.add(first)
      else if (!KEYWORDS.has(names.toUpperCase())) alone.add(first)
      written.push(second === undefined && !names.startsWith('`') ? names : words.map(quoted).join('.'))
    } else if (text !== undefined) {
      if (text.includes('\\')) odd ??= 'a text in it has a backslash'
      written.push(
        `'${text
          .slice(1, -1)
          .replaceAll(text[0] === '"' ? '""' : "''", text[0] === '"' ? '"' : "'")
          .replaceAll("'", "''")}'`,
      )
    } else if (blank !== undefined) written.push(' ')
    else if (other === '==') written.push('=')
    else if (other === '`' || other === "'" || other === '"' || other === '$') odd ??= `it has a ${other} that it cannot have`
    else written.push(other ?? '')
  }
  return { sql: odd === undefined ? written.join('') : sql, odd, alone, ofSource, paths }
}

const KEYWORDS = new Set('AND AS CASE CAST DISTINCT ELSE END FALSE FROM IN IS LIKE NOT NULL OR THEN TRUE WHEN WHERE'.split(' '))

const NAME = '(?:`(?:[^`]|``)+`|[\\p{L}_][\\p{L}\\p{N}_]*)'
const TOKEN = new RegExp(
  [
    `(?<names>${NAME}(?:\\s*\\.\\s*${NAME})*)`,
    `(?<text>'(?:[^'\\\\]|\\\\[^]|'')*'|"(?:[^"\\\\]|\\\\[^]|"")*")`,
    '(?<blank>\\s+|--[^\\n]*|/\\*[^]*?\\*/)',
    '(?<other>==|\\d[\\w.]*|[^])',
  ].join('|'),
  'guy',
)

/** The words of names between dots, without backticks. */
export const wordsOf = (names: string): readonly string[] =>
  [...names.matchAll(new RegExp(NAME, 'gu'))].map(([word]) =>
    word.startsWith('`') ? word.slice(1, -1).replaceAll('``', '`') : word,
  )

function oddName(words: readonly string[], parameters: ReadonlySet<string>): string | undefined {
  const parameter = words.find((word) => parameters.has(word.toUpperCase()))
  if (parameter !== undefined) return `it reads the parameter '${parameter}'`
  // The grammar cuts longer names, which would then be other ones.
  if (words.some((word) => Buffer.byteLength(word) > LONGEST)) return `a name in it has more than ${LONGEST} bytes`
  const special = words.find((word) => /[[\]{}]/.test(word))
  return special === undefined ? undefined : `'${special}' is no name of a column here`
}

const LONGEST = 63
const MOST_CHARACTERS = 20_000

const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`

/** A path of joins as one word, and the column; or a word alone. */
function pathOf(names: string): readonly string[] {
  const words = wordsOf(names)
  const joins = words.slice(0, -1)
  // The source may stand before the joins from it.
  const within = joins.length > 1 && joins[0]?.toUpperCase() === 'SOURCE' ? joins.slice(1) : joins
  return [...(within.length > 0 ? [within.join('.')] : []), words.at(-1) ?? '']
}

/** The spelling of a word that the grammar has read in `sql`: it writes names without quotes in small letters. */
export const spelled = (word: string, sql: string): string =>
  sql.includes(quoted(word))
    ? word
    : (new RegExp(`(?<![\\w$])${word.replace(/[^\w]/g, '\\$&')}(?![\\w$])`, 'i').exec(sql)?.[0] ?? word)
