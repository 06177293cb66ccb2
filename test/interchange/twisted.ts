/** Texts that are damaged in their structure: blocks that move, values that are exchanged, names that become other names of the text. */

type Random = (below: number) => number

/** A change of a text. `others` are texts of the same format. */
type Change = (text: string, random: Random, others: readonly string[]) => string

const picked = <T>(random: Random, items: readonly [T, ...T[]]): T => items[random(items.length)] ?? items[0]

const oneOf = (random: Random, texts: readonly string[]): string => texts[random(texts.length)] ?? ''

/** Words and signs that formats, and the languages in them, give a meaning. */
const WORDS =
  `'' "" " ' \` ( ) (( [ ] { } \${x} $$ ;; ; : :: - -- # // /* \\ \u200b \u202e 😀 é ß 日本 1e400 -0 0x10 1_000 .5 5. 99999999999999999999 ~ null NULL true yes << *a &a !!str | > |2 ? --- ... ` +
  'toString SUM( SUM() COUNT(*) CASE END SELECT a.b.c.d a..b "a"."b" NOT AND BETWEEN IN() IS 1/0 x::int x[1] MEASURE() CALCULATE( DIVIDE(1) FILTER( ALL() RETURN [x] ' +
  "'x'[y] 'x'[y OVER() ref('a') ref(a {{Dimension( day month fortnight many_to_one one_to_many primary foreign time number sum count ratio derived cumulative conversion"

const ODD_WORDS: readonly string[] = [
  ...WORDS.split(' '),
  '',
  '{{ x }}',
  '{% if a %}',
  "DATE '2026-13-45'",
  '\t',
  '\r',
  '\0',
  '\u2028',
]

const indentOf = (line: string): number => /^[ \t]*/.exec(line)?.[0].length ?? 0

/** The lines from a line on that are indented more than it. */
function blockAt(lines: readonly string[], from: number): readonly [from: number, to: number] {
  const indent = indentOf(lines[from] ?? '')
  let to = from + 1
  while (to < lines.length && (lines[to]?.trim() === '' || indentOf(lines[to] ?? '') > indent)) to++
  return [from, to]
}

/** A change of the lines, at a line of its choice. */
const ofLines =
  (change: (lines: string[], at: number, random: Random) => void): Change =>
  (text, random) => {
    const lines = text.split('\n')
    change(lines, random(lines.length), random)
    return lines.join('\n')
  }

/** Replaces one match of a pattern. */
const ofMatch =
  (pattern: RegExp, change: (found: string, random: Random, text: string) => string): Change =>
  (text, random) => {
    const all = [...text.matchAll(pattern)]
    const found = all[random(all.length)]
    if (!found) return text
    return text.slice(0, found.index) + change(found[0], random, text) + text.slice(found.index + found[0].length)
  }

const namesIn = (text: string): readonly string[] => [...new Set(text.match(/[A-Za-z_]\w+/g) ?? ['a'])]

const CHANGES: readonly [Change, ...Change[]] = [
  ofLines((lines, at) => lines.splice(at, blockAt(lines, at)[1] - at)),
  ofLines((lines, at, random) => lines.splice(random(lines.length), 0, ...lines.slice(...blockAt(lines, at)))),
  ofLines((lines, at, random) => {
    const [from, to] = blockAt(lines, at)
    const block = lines.splice(from, to - from)
    lines.splice(random(lines.length + 1), 0, ...block)
  }),
  ofLines((lines, at, random) => {
    const block = lines.slice(...blockAt(lines, at))
    const copies = Math.min(2 + random(40), Math.ceil(3000 / block.length))
    lines.splice(at, 0, ...Array.from({ length: copies }, () => block).flat())
  }),
  ofLines((lines, at, random) => {
    const [from, to] = random(2) ? blockAt(lines, at) : [at, at + 1]
    const change = picked(random, [(line: string) => ` ${line}`, (line: string) => `\t${line}`, (line: string) => line.slice(1)])
    for (let each = from; each < to; each++) lines[each] = change(lines[each] ?? '')
  }),
  ofLines((lines, at) => lines.splice(at, 2, `${lines[at] ?? ''} ${(lines[at + 1] ?? '').trimStart()}`)),
  ofLines((lines, at, random) => {
    const other = random(lines.length)
    const [one = '', two = ''] = [lines[at], lines[other]]
    const valueIn = (line: string) => /(?<=[:=]\s*)\S.*$/.exec(line)?.[0] ?? ''
    lines[at] = one.replace(valueIn(one), () => valueIn(two))
    lines[other] = two.replace(valueIn(two), () => valueIn(one))
  }),
  ofMatch(/(?<=[:=]\s{0,9})[^\s:=][^:=\n]*$/gm, (_, random) => oneOf(random, ODD_WORDS)),
  ofMatch(/[\w.]+/g, (_, random) => oneOf(random, ODD_WORDS)),
  ofMatch(/[A-Za-z_]\w+/g, (_, random, text) => oneOf(random, namesIn(text))),
  ofMatch(/[A-Za-z]\w+/g, (word, random) => (random(2) ? word.toUpperCase() : `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`)),
  ofMatch(/[\s\S]{2}/g, (two) => `${two[1] ?? ''}${two[0] ?? ''}`),
  (text, random) => {
    const at = random(text.length + 1)
    return text.slice(0, at) + oneOf(random, ODD_WORDS) + text.slice(at)
  },
  (text, random) => {
    const at = random(text.length + 1)
    return text.slice(0, at) + text.slice(at + 1 + random(random(2) ? 3 : 80))
  },
  (text, random) => {
    const names = namesIn(text)
    return text.replaceAll(oneOf(random, names), oneOf(random, random(3) ? names : ODD_WORDS))
  },
  (text, random, others) => {
    const other = oneOf(random, others)
    return text.slice(0, random(text.length)) + other.slice(random(other.length))
  },
]

/** The text with up to five changes of its structure. */
export function twisted(text: string, random: Random, others: readonly string[]): string {
  let changed = text
  for (let times = 1 + random(random(3) ? 2 : 5); times > 0; times--) changed = picked(random, CHANGES)(changed, random, others)
  return changed.slice(0, MOST_CHARACTERS)
}

/** A longer text is read in another process, which takes longer to start than to read it. */
const MOST_CHARACTERS = 9900
