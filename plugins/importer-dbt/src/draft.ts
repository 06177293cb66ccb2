/** A model that is being written, and what it does not say as the project does. */
import { type ImportedPlace, type Loss, type LossKind, reached } from '@grainline/core'
import { LeftOut } from './left-out.js'
import { type Part, type Place, placeKey, Refused } from './part.js'
import { SqlFault } from './sql-expression.js'

export { LeftOut }

export type Entry = Record<string, unknown>

/** Columns whose type nothing declares, as they are read: `day (date), code (as stored, else string)`. The latter is not written, so that a database may say it. */
export const assumedTypes = (names: ReadonlySet<string>, columns: Readonly<Record<string, Entry>>): string =>
  [...names].map((name) => `${name} (${String(columns[name]?.['abstractType'] ?? 'as stored, else string')})`).join(', ')

/** How a format speaks of keys that its importer does not read. */
export interface FormatKeys {
  /** What a text is, such as 'the project'. */
  readonly whole: string
  /** Keys that say nothing about numbers, wherever they are. */
  readonly outside: ReadonlySet<string>
  /** Keys whose loss has its own sentence. */
  readonly own?: Readonly<Record<string, { readonly message: string; readonly hint: string }>>
}

type Path = ImportedPlace['path']
type Kind = 'dataObjects' | 'dimensions' | 'measures' | 'metrics' | 'segments'

const KINDS: ReadonlySet<string> = new Set(['dataObjects', 'dimensions', 'measures', 'metrics', 'segments'] satisfies Kind[])

/** The model so far. */
export class Draft {
  readonly dataObjects: Record<string, Entry> = {}
  readonly dimensions: Record<string, Entry> = {}
  readonly measures: Record<string, Entry> = {}
  readonly metrics: Record<string, Entry> = {}
  readonly segments: Record<string, Entry> = {}
  readonly places: ImportedPlace[] = []
  readonly losses: Loss[] = []
  readonly #left = new Set<string>()
  /** Parts of the model that are no items, such as columns. */
  readonly #parts: ImportedPlace[] = []
  /** Lines about the whole model. */
  readonly #said = new Set<string>()
  #assumesKeys = false

  constructor(private readonly keys: FormatKeys) {}

  add(kind: Kind, name: string, entry: Entry, place: Place): void {
    if (Object.hasOwn(this[kind], name))
      throw new Refused(`There are two items with the name '${name}' (${kind}).`, place, 'Rename one of them.')
    Object.defineProperty(this[kind], name, { value: entry, enumerable: true, configurable: true, writable: true })
    this.places.push({ path: [kind, name], place })
  }

  /** A part of the model that is no item, such as a column, and what it comes from. */
  says(path: Path, place: Place): void {
    this.#parts.push({ path, place })
  }

  /**
   * The lines, each with the part of the model that it is about: what comes from its own place, or else from the nearest value around it. `around` gives the
   * places of those values.
   */
  withPaths(losses: readonly Loss[], around: (place: Place) => readonly Place[]): readonly Loss[] {
    const paths = this.#pathsByPlace()
    return losses.map((loss) => {
      const { place } = loss
      if (loss.path || !place) return loss
      const path = [place, ...around(place)].map((each) => paths.get(placeKey(each))).find((each) => each !== undefined)
      return path ? { ...loss, path } : loss
    })
  }

  #pathsByPlace(): ReadonlyMap<string, Path> {
    const found = new Map<string, Path>()
    const isHidden = ([kind, name]: Path) => this.#entryOf(kind, name)?.['hidden'] === true
    // What no query may select is a part of what comes from the same place.
    const [shown, hidden] = [this.places.filter(({ path }) => !isHidden(path)), this.places.filter(({ path }) => isHidden(path))]
    for (const { path, place } of [...shown, ...hidden, ...this.#parts]) {
      const key = placeKey(place)
      if (!found.has(key)) found.set(key, path)
    }
    return found
  }

  #entryOf(kind: Path[number] | undefined, name: Path[number] | undefined): Entry | undefined {
    return KINDS.has(String(kind)) ? this[kind as Kind][String(name)] : undefined
  }

  lose(kind: LossKind, message: string, place: Place, more: Pick<Loss, 'hint' | 'path'> = {}): void {
    this.losses.push({ kind, message, place, ...more })
  }

  /** A join to one row whose end is no key that the text declares. */
  assumeKey(message: string, place: Place, path?: NonNullable<Loss['path']>): void {
    this.#assumesKeys = true
    this.lose('rewritten', message, place, { hint: 'Declare the key, and run grainline verify.', ...(path && { path }) })
  }

  /** A filter that does not reach a measure would give other numbers without a word. */
  get settings(): Entry {
    return { strictFilters: true, ...(this.#assumesKeys && { assumedJoins: true }) }
  }

  /** A line about the whole model, at the first place that it is about. */
  loseOnce(kind: LossKind, message: string, place: Place, more: Pick<Loss, 'hint' | 'path'> = {}): void {
    if (this.#said.has(message)) return
    this.#said.add(message)
    this.lose(kind, message, place, more)
  }

  /** The filters of a measure choose its groups, too. Other products have them inside of the aggregate. */
  noteFiltered(product: string, place: Place): void {
    this.loseOnce(
      'rewritten',
      `A group in which no row meets the filters of a measure has no row, unless another measure of its rows is asked. In ${product} it has one.`,
      place,
    )
  }

  /** The model divides in another way than most databases. */
  noteDivision(expression: string, name: string, place: Place): void {
    if (!expression.includes(' / ')) return
    this.lose('rewritten', `'/' in '${name}' is never an integer division, and NULL for a divisor of 0.`, place)
  }

  /** A hierarchy is what a dimension says of the coarser ones, and has no name. */
  noteHierarchy(name: string, levels: readonly string[], place: Place): void {
    const last = levels.at(-1)
    if (last === undefined) throw new LeftOut('it has no level', place)
    this.lose('rewritten', `The hierarchy '${name}' has no name here: it is the coarser dimensions of '${last}'.`, place)
  }

  /** Runs a step; what it cannot say in the model is refused, and the rest is read. */
  async attempt(what: string, place: Place, step: () => Promise<void> | void): Promise<void> {
    reached(place)
    try {
      await step()
    } catch (error) {
      this.#refuse(what, place, error)
    }
  }

  /** The same for a step that does not wait. Returns whether the model says it. */
  attemptNow(what: string, place: Place, step: () => void): boolean {
    reached(place)
    try {
      step()
      return true
    } catch (error) {
      this.#refuse(what, place, error)
      return false
    }
  }

  #refuse(what: string, place: Place, error: unknown): void {
    this.leave(place)
    if (error instanceof SqlFault)
      this.lose('refused', `${what} is left out: ${error.message}.`, place, {
        hint: error.hint,
      })
    else if (error instanceof LeftOut)
      this.lose(
        'refused',
        `${what} is left out: ${error.message}.`,
        error.place ?? place,
        error.hint === undefined ? {} : { hint: error.hint },
      )
    else throw error
  }

  /** An item that is not in the model: its keys are not reported one by one. */
  leave(place: Place): void {
    this.#left.add(placeKey(place))
  }

  /** Reports every key that nothing has read. */
  unread(roots: readonly Part[]): void {
    for (const root of roots)
      for (const { key, owner, place } of root.unread((at) => this.#left.has(placeKey(at)))) {
        const what = `'${key}' of ${owner === undefined ? this.keys.whole : `'${owner}'`}`
        const own = Object.hasOwn(this.keys.own ?? {}, key) ? this.keys.own?.[key] : undefined
        if (own) this.lose('refused', `${what} is left out: ${own.message}.`, place, { hint: own.hint })
        else if (owner === undefined || this.keys.outside.has(key))
          this.lose('inert', `${what} is not in the model: it says nothing about numbers here.`, place)
        else this.lose('refused', `${what} is left out: the model has no place for it.`, place)
      }
  }
}
