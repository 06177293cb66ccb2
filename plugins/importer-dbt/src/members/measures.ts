/** Measures of owners → measures, and formulas over them. */
import { type Draft, type Entry, LeftOut } from '../draft.js'
import type { Part } from '../part.js'
import type { FunctionCall, Reading, SqlReader } from '../sql-expression.js'
import type { NameReading, Write } from './marked-text.js'
import { opened } from './opened.js'
import { fullName, type Owner, type OwnerContext, type OwnerWords } from './owner.js'

/** Writes each measure once, after those that it reads. */
export abstract class MeasureWriter<O extends Owner> implements OwnerContext<O> {
  readonly open = new Set<string>()
  readonly #written = new Map<string, boolean>()

  constructor(
    readonly owners: ReadonlyMap<string, O>,
    readonly words: OwnerWords,
    readonly draft: Draft,
    readonly sql: SqlReader,
  ) {}

  /** Writes a measure. Throws for one that has no place in the model. */
  protected abstract one(full: string, owner: O, part: Part): void

  protected abstract add(kind: 'measures' | 'metrics', full: string, entry: Entry, owner: O, part: Part): void

  /** The expression of the SQL of a measure. */
  protected abstract expression(owner: O, part: Part, reading: NameReading<O>): string

  /** Names in the rows of an aggregate. */
  protected abstract rows(note: (owner: O) => void): NameReading<O>

  /** Writes all. */
  write(): void {
    for (const owner of this.owners.values()) for (const name of owner.measures.keys()) this.#isWritten(name, owner)
  }

  measure(owner: O, name: string): string {
    const full = fullName(owner, name)
    if (!owner.measures.has(name)) throw new LeftOut(`there is no measure '${full}'`)
    if (this.open.has(full)) throw new LeftOut(`'${full}' reads itself`)
    if (!this.#isWritten(name, owner)) throw new LeftOut(`'${full}' is left out`)
    return full
  }

  /** Writes a measure, if it is not. */
  #isWritten(name: string, owner: O): boolean {
    const full = fullName(owner, name)
    const part = owner.measures.get(name)
    const known = this.#written.get(full)
    if (!part || known !== undefined) return known ?? false
    const isWritten = this.draft.attemptNow(`The measure '${full}'`, part.place, () =>
      opened(full, this, () => this.one(full, owner, part)),
    )
    // No aggregate of a formula that is left out remains.
    if (!isWritten)
      for (const key of Object.keys(this.draft.measures)) if (key.startsWith(`${full}: `)) delete this.draft.measures[key]
    this.#written.set(full, isWritten)
    return isWritten
  }

  /** A formula over measures, and aggregates that are written in it. */
  protected formula(full: string, owner: O, part: Part): void {
    const place = part.at('sql')
    const aggregates: Entry[] = []
    const expression = this.expression(owner, part, {
      column: (_owner, code) => {
        throw new LeftOut(`'${code}' is a column, and no measure`, place, 'Aggregate it, or name a measure in braces.')
      },
      member: ({ owner: other, member }) => {
        if (!other.measures.has(member)) throw new LeftOut(`'${member}' is no measure`, place, 'Aggregate it.')
        return `{[${this.measure(other, member)}]}`
      },
      call: (call, write, within) => {
        const aggregate = this.#aggregate(call, owner, part, write, within)
        return aggregate && `{[${full}: ${aggregates.push(aggregate)}]}`
      },
    })
    if (!expression.includes('{[')) throw new LeftOut('it has no aggregate and reads no measure', place)
    this.draft.noteDivision(expression, full, place)
    const [only] = aggregates
    if (aggregates.length === 1 && only && expression === `{[${full}: 1]}`) {
      this.add('measures', full, only, owner, part)
      return
    }
    for (const [at, each] of aggregates.entries())
      this.draft.add('measures', `${full}: ${at + 1}`, { ...each, hidden: true }, part.place)
    this.add('metrics', full, { expression }, owner, part)
  }

  /** An aggregate inside of a formula: its names are columns. */
  #aggregate(
    call: FunctionCall,
    owner: O,
    part: Part,
    write: Write,
    within: (other: NameReading<O>) => Reading,
  ): Entry | undefined {
    const place = part.at('sql')
    if (!INSIDE.has(call.name)) return undefined
    if (call.isOdd || call.order.length > 0) throw new LeftOut(`'${call.name}' with a window or a filter is no formula`, place)
    if (call.isStar) return { aggregation: 'count', expression: '1', anchor: owner.name }
    const [value, more] = call.args
    if (value === undefined || more !== undefined) throw new LeftOut(`'${call.name}' has not one value`, place)
    const isDistinct = call.isDistinct && call.name !== 'min' && call.name !== 'max'
    if (isDistinct && call.name !== 'count')
      throw new LeftOut(`'${call.name}' of distinct values has no place in this import`, place)
    const input = this.input(owner, (rows) => write(value, isOfNumbers(call.name) ? 'number' : undefined, within(rows)))
    return { aggregation: isDistinct ? 'count_distinct' : call.name, ...input.entry }
  }

  /** What an aggregate of `owner` reads, by the expression that `write` writes; `anchor` is the owner whose rows count. */
  protected input(
    owner: O,
    write: (rows: NameReading<O>) => string,
    anchor: Owner = owner,
  ): { readonly expression: string; readonly entry: Entry } {
    const read = new Set<O>()
    const expression = write(this.rows((each) => read.add(each)))
    return { expression, entry: inputOf(expression, anchor, read) }
  }
}

/** Aggregates that SQL of a formula has. */
const INSIDE = new Set('sum count avg min max median stddev stddev_samp stddev_pop variance var_samp var_pop'.split(' '))

const NUMBERS = new Set('sum avg min max median percentile stddev stddev_samp stddev_pop variance var_samp var_pop'.split(' '))

/** Whether an aggregate is over numbers. A minimum is, unless a dimension gives its column another type. */
export const isOfNumbers = (aggregation: string): boolean => NUMBERS.has(aggregation)

function inputOf(expression: string, { name }: Owner, read: ReadonlySet<Owner>): Entry {
  const [, object, column] = /^\{\[([^\][]*)\]\.\[([^\][]*)\]\}$/.exec(expression) ?? []
  if (column !== undefined && object === name) return { columns: [{ dataObject: object, column }] }
  const isOwn = read.size > 0 && [...read].every((each) => each.name === name)
  return { expression, ...(!isOwn && { anchor: name }) }
}
