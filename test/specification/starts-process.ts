/** Which tests of a file start Grainline as a separate process, determined from its text. */

/** Modules whose import starts a process. */
const STARTERS = /^import \{([^}]*)\} from '[./\w-]*\/(?:process|serve|served|load\/server)\.js'$/gm
const DECLARED = /^(?:export )?(?:async )?(?:function|const) (?:(\w+)|[{[]([^}\]]*)[}\]])/

/** Whether the top-level statement around a position starts a process, itself or by a function of the file. */
export function startsProcess(text: string): (index: number) => boolean {
  const starters = new Set([...text.matchAll(STARTERS)].flatMap(([, names]) => valuesOf(names!)))
  const statements = statementsOf(text)
  const starts = ({ text }: Statement): boolean => [...starters].some((name) => new RegExp(`\\b${name}[(.]`).test(text))
  for (let before = -1; before < starters.size; ) {
    before = starters.size
    for (const statement of statements) {
      const [, name, parts] = DECLARED.exec(statement.text) ?? []
      if (starts(statement)) for (const each of valuesOf(name ?? parts ?? '')) starters.add(each)
    }
  }
  return (index) => statements.some((s) => s.from <= index && index < s.from + s.text.length && starts(s))
}

interface Statement {
  readonly from: number
  readonly text: string
}

/** A top-level statement begins at a line that begins with a letter. */
function statementsOf(text: string): readonly Statement[] {
  const starts = [...text.matchAll(/^[a-z]/gm)].map(({ index }) => index)
  return starts.map((from, i) => ({ from, text: text.slice(from, starts[i + 1]) }))
}

const valuesOf = (names: string): string[] =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.replace(/^\w+(?: as|:) /, ''))
