/** SQL in which braces name owners and their members: a mark stands in place of each of them while the grammar of SQL reads it. */
import { LeftOut } from '../draft.js'
import type { Place } from '../part.js'
import type { FunctionCall, Reading, SqlReader, Use } from '../sql-expression.js'
import type { Owner, OwnerWords } from './owner.js'
import { spellings } from './spellings.js'

/** An owner, whose column follows; or a member. */
export interface Reference<O extends Owner> {
  readonly owner: O
  readonly member: string | undefined
  /** The period that a time is cut to. */
  readonly grain?: string | undefined
}

export type MemberReference<O extends Owner> = Reference<O> & { readonly member: string }

export type Write = Parameters<NonNullable<Reading['call']>>[1]

/** How the names in a text are written in the grammar of the model. */
export interface NameReading<O extends Owner> {
  readonly column: (owner: O, code: string, use: Use) => string
  readonly member: (reference: MemberReference<O>, use: Use) => string
  /** `within` reads the names of an argument in another way. */
  readonly call?: (call: FunctionCall, write: Write, within: (other: NameReading<O>) => Reading) => string | undefined
}

/** A text that is read as SQL of a member of `from`. */
export interface MarkedText<O extends Owner> {
  readonly sql: string
  readonly references: readonly Reference<O>[]
  readonly from: O
  readonly words: OwnerWords
  readonly place: Place
}

/** No name begins with it: a text that has it is refused before it is read. */
const MARK = 'grainline_reference_'
const MARKED = new RegExp(`^${MARK}(\\d+)$`)

/** Marks what `braces` finds; its first group is what the braces enclose. */
export function markedText<O extends Owner>(
  text: string,
  braces: RegExp,
  referenceOf: (inside: string) => Reference<O>,
  where: Pick<MarkedText<O>, 'from' | 'words' | 'place'>,
): MarkedText<O> {
  if (text.toLowerCase().includes(MARK)) throw new LeftOut(`its SQL may not contain '${MARK}'`)
  const references: Reference<O>[] = []
  const sql = text.replaceAll(braces, (_whole, inside: string) => ` ${MARK}${references.push(referenceOf(inside)) - 1} `)
  return { sql, references, ...where }
}

/** The expression of a marked text. Throws `LeftOut`, or what the reader of SQL throws. */
export function markedExpression<O extends Owner>(
  marked: MarkedText<O>,
  reading: NameReading<O>,
  { sql }: { readonly sql: SqlReader },
  use?: Use,
): string {
  const expression = sql.expression(marked.sql, readingOf(marked, reading), use)
  if (expression.includes(MARK)) throw new LeftOut('a reference stands inside of a text in quotes', marked.place)
  return expression
}

function readingOf<O extends Owner>(marked: MarkedText<O>, first: NameReading<O>): Reading {
  const spelled = spellings(marked.sql)
  const within = (reading: NameReading<O>, as?: 'time'): Reading => ({
    names: (words, use) => nameOf(words.map(spelled), marked, reading, as ?? use),
    call: (call, write) => {
      const [grain, value] = call.args
      if (call.name === 'date_trunc' && call.args.length === 2 && !call.isOdd)
        return `date_trunc(${write(grain)}, ${write(value, undefined, within(reading, 'time'))})`
      return reading.call?.(call, write, within)
    },
  })
  return within(first)
}

function nameOf<O extends Owner>(
  parts: readonly string[],
  { references, from, words }: MarkedText<O>,
  reading: NameReading<O>,
  use: Use,
): string {
  const [first = '', second, ...more] = parts
  const at = MARKED.exec(first)?.[1]
  const reference = at === undefined ? undefined : references[Number(at)]
  if (!reference && parts.some((part) => part.includes(MARK))) throw new LeftOut('a reference stands inside of a name')
  if (more.length > 0) throw new LeftOut(`'${parts.join('.')}' is no column`)
  if (!reference) {
    if (second === undefined) return reading.column(from, first, use)
    if (first.toLowerCase() === from.name.toLowerCase()) return reading.column(from, second, use)
    throw new LeftOut(`'${first}.${second}' is no column of '${from.name}'`, undefined, words.hint)
  }
  const { owner, member } = reference
  if (member === undefined && second !== undefined) return reading.column(owner, second, use)
  if (member !== undefined && second === undefined) return reading.member({ ...reference, member }, use)
  throw new LeftOut(member === undefined ? `'${owner.name}' is a ${words.owner}, and no value` : `'${member}' has no columns`)
}
