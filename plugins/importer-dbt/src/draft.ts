/** A model that is being written, and what it does not say as the project does. */
import type { ImportedPlace, Loss, LossKind } from '@grainline/core'
import { type Part, type Place, Refused } from './part.js'
import { SqlFault } from './sql-expression.js'

export type Entry = Record<string, unknown>

/** The model so far. */
export class Draft {
  readonly dataObjects: Record<string, Entry> = {}
  readonly dimensions: Record<string, Entry> = {}
  readonly measures: Record<string, Entry> = {}
  readonly metrics: Record<string, Entry> = {}
  readonly places: ImportedPlace[] = []
  readonly losses: Loss[] = []
  readonly #left = new Set<string>()

  add(kind: 'dataObjects' | 'dimensions' | 'measures' | 'metrics', name: string, entry: Entry, place: Place): void {
    if (Object.hasOwn(this[kind], name))
      throw new Refused(`There are two items with the name '${name}' (${kind}).`, place, 'Rename one of them.')
    Object.defineProperty(this[kind], name, { value: entry, enumerable: true, configurable: true, writable: true })
    this.places.push({ path: [kind, name], place })
  }

  lose(kind: LossKind, message: string, place: Place, more: Pick<Loss, 'hint' | 'path'> = {}): void {
    this.losses.push({ kind, message, place, ...more })
  }

  /** The model divides in another way than most databases. */
  noteDivision(expression: string, name: string, place: Place): void {
    if (!expression.includes(' / ')) return
    this.lose('rewritten', `'/' in '${name}' is never an integer division, and NULL for a divisor of 0.`, place)
  }

  /** Runs a step; what it cannot say in the model is refused, and the rest is read. */
  async attempt(what: string, place: Place, step: () => Promise<void> | void): Promise<void> {
    try {
      await step()
    } catch (error) {
      this.leave(place)
      if (error instanceof SqlFault)
        this.lose('refused', `${what} is left out: ${error.message}.`, place, {
          hint: 'Write it with functions that every engine has, or add it by hand.',
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
  }

  /** An item that is not in the model: its keys are not reported one by one. */
  leave(place: Place): void {
    this.#left.add(keyOf(place))
  }

  /** Reports every key that nothing has read. */
  unread(roots: readonly Part[]): void {
    for (const root of roots)
      for (const { key, owner, place } of root.unread((at) => this.#left.has(keyOf(at)))) {
        const what = `'${key}' of ${owner === undefined ? 'the project' : `'${owner}'`}`
        if (key === 'join_to_timespine')
          this.lose('refused', `${what} is left out: a query asks for rows of times without data.`, place, {
            hint: 'Ask with gaps.',
          })
        else if (owner === undefined || OUTSIDE.has(key))
          this.lose('inert', `${what} is not in the model: it says nothing about numbers here.`, place)
        else this.lose('refused', `${what} is left out: the model has no place for it.`, place)
      }
  }
}

const keyOf = ({ line, column }: Place): string => `${line}:${column}`

/** Why an item is not in the model. */
export class LeftOut extends Error {
  constructor(
    message: string,
    readonly place?: Place,
    readonly hint?: string,
  ) {
    super(message)
  }
}

/** Keys that say how dbt builds, tests or files an item; they say nothing about numbers. */
const OUTSIDE = new Set(
  'config meta tags tests data_tests constraints version versions latest_version docs access group tests_config quote contract deprecation_date time_spine metadata created_at unique_id fqn original_file_path path package_name resource_type source_file loaded_at enabled depends_on refs language unrendered_config input_measures is_private hidden description label relation_name columns enabled repo_file_path file_slice'.split(
    ' ',
  ),
)
