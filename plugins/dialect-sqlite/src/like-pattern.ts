import { ansi, type LikeRequest } from '@grainline/core/dialect'

const WILDCARDS: Readonly<Record<string, string>> = { '%': '*', _: '?' }
/** What GLOB reads as more than a letter means itself in brackets. */
const ITSELF: Readonly<Record<string, string>> = { '[': '[[]', '*': '[*]', '?': '[?]' }

/** The pattern of LIKE as one of GLOB: https://www.sqlite.org/lang_expr.html#glob */
export const likePattern = ({ literal, pattern, folded }: LikeRequest): string =>
  literal === undefined ? translated(pattern) : ansi.literals.string(globOf(literal, folded))

function globOf(pattern: string, folded: boolean): string {
  return pattern.replace(/\\?./gsu, (sign) => {
    const escaped = sign.length > 1 && sign.startsWith('\\')
    const letter = escaped ? sign.slice(1) : sign
    return (escaped ? undefined : WILDCARDS[letter]) ?? ITSELF[letter] ?? (folded ? inAnyCase(letter) : letter)
  })
}

/** Letters that are not the upper case of their lower case: title letters, ẞ, and the signs of Ohm, Kelvin and Angstrom. */
export const UNPAIRED = 'İǅǈǋǲϴẞᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾼῌῼ\u2126\u212a\u212b'
/** Those of each lower case, and the last sigma. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ...Array.from(UNPAIRED, (letter) => [letter.toLowerCase().charAt(0), letter] as const),
  ['σ', 'ς'],
])

/** LOWER only changes ASCII letters; for any other letter the pattern contains each case. */
function inAnyCase(letter: string): string {
  const also = OTHERS.get(letter) ?? ''
  const cases = new Set([letter.toLowerCase(), letter.toUpperCase(), ...also].filter((one) => [...one].length === 1))
  if (letter < '\u0080' && also !== '') return `[${letter}${also}]`
  return cases.size < 2 || letter < '\u0080' ? letter.toLowerCase() : `[${[...cases].join('')}]`
}

/** Escaped signs step aside while the others are translated. */
const STEPS: readonly (readonly [from: string, to: string])[] = [
  ["'\\\\'", 'CHAR(1)'],
  ["'\\%'", 'CHAR(2)'],
  ["'\\_'", 'CHAR(3)'],
  ...Object.entries(ITSELF).map(([sign, glob]) => [`'${sign}'`, `'${glob}'`] as const),
  ...Object.entries(WILDCARDS).map(([sign, glob]) => [`'${sign}'`, `'${glob}'`] as const),
  ['CHAR(3)', "'_'"],
  ['CHAR(2)', "'%'"],
  ['CHAR(1)', "'\\'"],
]

const translated = (pattern: string): string => STEPS.reduce((text, [from, to]) => `REPLACE(${text}, ${from}, ${to})`, pattern)
