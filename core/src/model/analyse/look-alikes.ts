/** Names that a reader may confuse with other names or misread. They are kept unchanged, with a warning. */
import { zip } from '../../invariant.js'
import type { Faults } from '../faults.js'

export interface NamePlace {
  readonly section: string
  readonly name: string
}

/** Warns of names with invisible characters, and of names in one namespace that look alike. */
export function* warnOfLookAlikes(places: Iterable<NamePlace>, faults: Faults): Generator<undefined> {
  const seen = new Map<string, string>()
  for (const { section, name } of places) {
    yield
    const warn = (message: string) => faults.warn('CONFUSABLE_NAME', [section, name], message, { onKey: true })
    const [hidden] = UNSEEN.exec(name) ?? []
    if (hidden !== undefined) warn(`'${shown(name)}' contains ${spelled(hidden)}, which is invisible`)
    const seemsToBe = lookOf(name)
    const other = seen.get(seemsToBe)
    if (other !== undefined && other !== name) warn(`'${shown(name)}' looks like '${shown(other)}', and is another name`)
    seen.set(seemsToBe, other ?? name)
  }
}

/** Characters that control a terminal, reverse the order of letters, or are invisible. Joiners are not among them: some scripts need them. */
const UNSEEN = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/u
const NO_ROOM = /[\p{Cf}\p{Cc}]/gu
const PLAIN = /^[ -~]*$/

/** Equal for names that look alike in most fonts. https://www.unicode.org/reports/tr39/#Confusable_Detection has all of them. */
function lookOf(name: string): string {
  if (PLAIN.test(name)) return name
  return [...name.normalize('NFKC').replaceAll(NO_ROOM, '')].map((letter) => LATIN.get(letter) ?? letter).join('')
}

/** Cyrillic and Greek letters that look like Latin ones. */
const LATIN = new Map(
  [
    ['аеорсухіјѕһԁԛԝ', 'aeopcyxijshdqw'],
    ['АВЕКМНОРСТУХІЈЅ', 'ABEKMHOPCTYXIJS'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
    ['οιανυ', 'oiavu'],
  ].flatMap(([others = '', latin = '']) => zip([...others], [...latin])),
)

const shown = (name: string): string => name.replace(new RegExp(UNSEEN, 'gu'), spelled)
const spelled = (sign: string): string => `U+${Number(sign.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`
