/** Measures in DAX → measures, and formulas over them. */
import { type Draft, type Entry, LeftOut, type Part } from '@grainline/importer-dbt/foreign'
import type { Value } from './dax/expressions.js'
import { NO_FILTERS } from './dax/filters.js'
import { type Dax, daxOf } from './dax/parse.js'
import type { Days } from './days.js'
import { patternOf } from './format-string.js'
import { Formula, type Named, type Surroundings, Written } from './formula.js'
import { isOn } from './keys.js'
import { Roles } from './roles.js'
import { plainName, type Tables } from './tables.js'

interface Owned {
  readonly part: Part
  readonly table: Part
}

/** Writes each measure once, after those that it reads. */
/** What to do about DAX that has no place, where nothing says nearly the same. */
const BY_HAND = 'Write it as a metric in the result by hand.'

export class Measures {
  readonly #owned = new Map<string, Owned>()
  readonly #written = new Map<string, Named | undefined>()
  readonly #open: string[] = []
  readonly #around: Surroundings
  readonly notes = { comparesTexts: false, counts: false, compares: false, shifts: false }

  constructor(
    parts: readonly Part[],
    tables: Tables,
    days: Days,
    private readonly draft: Draft,
  ) {
    this.#around = {
      ...{ tables, days, notes: this.notes, roles: new Roles(tables, draft) },
      isDimension: (name) => Object.hasOwn(draft.dimensions, name),
      named: (name, table) => this.#named(name, table),
      inDaxOf: (name, step) => this.#inDaxOf(name, step),
    }
    for (const table of parts)
      for (const part of table.parts('measure')) {
        const key = part.needed('name').toUpperCase()
        // A name for two measures is an error of the model.
        if (!this.#owned.has(key)) this.#owned.set(key, { part, table })
        else this.draft.attemptNow(`The measure '${part.text('name')}'`, part.place, () => this.#twice())
      }
  }

  write(): void {
    for (const key of this.#owned.keys()) this.#attempted(key)
  }

  #twice(): never {
    throw new LeftOut('another measure has its name')
  }

  /** Writes a measure, if it is not. Undefined if it is left out. */
  #attempted(key: string): Named | undefined {
    const owned = this.#owned.get(key)
    if (this.#written.has(key) || !owned) return this.#written.get(key)
    const { part } = owned
    const text = part.text('value') ?? ''
    let named: Named | undefined
    const isWritten = this.draft.attemptNow(`The measure '${part.text('name')}'`, part.at('value'), () => {
      try {
        named = this.#guarded(key, () => this.#one(owned, text))
      } catch (error) {
        if (!(error instanceof LeftOut)) throw error
        const dax = text.replaceAll(/\s+/g, ' ')
        const hint = `${error.hint ?? BY_HAND} Its DAX is: ${dax.length > 300 ? `${dax.slice(0, 300)} …` : dax}`
        throw new LeftOut(error.message, error.place, hint)
      }
    })
    if (!isWritten) this.draft.leave(part.place)
    this.#written.set(key, named)
    return named
  }

  #guarded<T>(key: string, step: () => T): T {
    if (this.#open.includes(key)) throw new LeftOut(`'${this.#owned.get(key)?.part.text('name')}' reads itself`)
    if (this.#open.length > 60) throw new LeftOut('more than 60 measures read each other')
    this.#open.push(key)
    try {
      return step()
    } finally {
      this.#open.pop()
    }
  }

  #one({ part, table }: Owned, text: string): Named {
    const full = plainName(part)
    const written = new Written(full)
    const { text: expression, kind } = new Formula(this.#around, NO_FILTERS, written).value(daxOf(text))
    if (!expression.includes('{[')) throw new LeftOut('it has no aggregate and reads no measure')
    this.draft.noteDivision(expression, full, part.at('value'))
    const pattern = patternOf(part)
    const described = {
      ...(pattern && { format: pattern }),
      ...((isOn(part, 'isHidden') || isOn(table, 'isHidden')) && { hidden: true }),
      ...(part.text('description') && { description: part.text('description') }),
    }
    const parts = [...written.parts.values()]
    // What is one part is that part under its own name.
    const last = expression === `{[${full}: ${parts.length}]}` ? parts.at(-1) : undefined
    for (const [at, entry] of (last ? parts.slice(0, -1) : parts).entries())
      this.#add(`${full}: ${at + 1}`, { ...entry, hidden: true }, part)
    this.#add(full, last ? { ...last, ...described } : { type: 'derived', expression, ...described }, part)
    return { name: full, kind, isPlain: written.isPlain }
  }

  #add(name: string, entry: Entry, part: Part): void {
    const { type, ...derived } = entry
    if (type === undefined) this.draft.add('measures', name, entry, part.place)
    else this.draft.add('metrics', name, type === 'derived' ? derived : entry, part.place)
  }

  #named(name: string, table: string | undefined): Named {
    const key = name.toUpperCase()
    const owned = this.#owned.get(key)
    if (!owned)
      throw new LeftOut(
        table === undefined ? `there is no measure [${name}]` : `'${table}'[${name}] is a column, and in no aggregate`,
      )
    if (this.#open.includes(key)) throw new LeftOut(`'${owned.part.text('name')}' reads itself`)
    const found = this.#attempted(key)
    if (!found) throw new LeftOut(`the measure '${owned.part.text('name')}' is left out`)
    return found
  }

  #inDaxOf(name: string, step: (dax: Dax) => Value): Value {
    const key = name.toUpperCase()
    return this.#guarded(key, () => step(daxOf(this.#owned.get(key)?.part.text('value') ?? '')))
  }
}
