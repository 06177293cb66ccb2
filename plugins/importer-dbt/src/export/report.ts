/** What of a model a text in another format contains, and what it does not say. */
import type { Exported, ExportFault, LossKind } from '@grainline/core'
import { Unsaid } from './unsaid.js'
import { whatToDo } from './what-to-do.js'

type Path = Exported['written'][number]
type Losses = Exported['losses'][number][]

/**
 * What a key of an item becomes: said in the text, without meaning for numbers, without meaning for them if it is the same for all rows (`constant`), or a
 * reason why the item cannot be written.
 */
export type KeyUse = 'said' | 'inert' | 'constant' | { readonly refused: string }

/** What else a line says. */
interface More {
  /** What to do. A refused line without it says what other parts of its kind say. */
  readonly hint?: string | undefined
  readonly isSecurity?: boolean
}

const MOST_FAULTS = 100

export class Report {
  /** What becomes of an item that the format cannot say. */
  constructor(
    private readonly unsaid: { readonly kind: LossKind; readonly says: string } = { kind: 'refused', says: 'is left out' },
  ) {}

  readonly written: Path[] = []
  readonly losses: Losses = []

  lose(kind: LossKind, path: Path, message: string, { hint, isSecurity = false }: More = {}): void {
    const advice = hint ?? (kind === 'refused' ? whatToDo(path) : undefined)
    this.losses.push({ kind, path, message, ...(advice !== undefined && { hint: advice }), ...(isSecurity && { isSecurity }) })
  }

  /** Runs a step that writes an item. Returns whether it is written; if not, the list says why. */
  item(path: Path, what: string, step: () => void): boolean {
    const isWritten = this.attempt(path, what, step)
    if (isWritten) this.written.push(path)
    return isWritten
  }

  /** Runs a step of an item; an item of which a step fails is refused. */
  attempt(path: Path, what: string, step: () => void): boolean {
    const before = this.losses.length
    try {
      step()
      return true
    } catch (error) {
      if (!(error instanceof Unsaid)) throw error
      const { kind, says } = this.unsaid
      // How it would have been said.
      const others = this.losses.splice(before).filter((loss) => !path.every((key, at) => loss.path[at] === key))
      this.losses.push(...others)
      this.lose(kind, path, `${what} ${says}: ${error.message}.`, { hint: error.hint })
      return false
    }
  }

  /** Reports hidden items, which are written into the formulas that read them: `inside` are those of all formulas. Without one, the item is not written. */
  hidden(items: Iterable<readonly [name: string, path: Path]>, inside: readonly Path[]): void {
    const said = new Set(inside.map((path) => JSON.stringify(path)))
    for (const [name, path] of items) {
      if (said.has(JSON.stringify(path))) {
        this.lose('rewritten', path, `'${name}' is hidden, and is written into the formulas that read it.`)
        continue
      }
      const isOfItem = (other: Path) => path.every((key, at) => other[at] === key)
      this.written.splice(0, Number.POSITIVE_INFINITY, ...this.written.filter((other) => !isOfItem(other)))
      this.losses.splice(0, Number.POSITIVE_INFINITY, ...this.losses.filter((loss) => !isOfItem(loss.path)))
      this.lose(this.unsaid.kind, path, `'${name}' ${this.unsaid.says}: it is hidden, and no formula that is written reads it.`)
    }
  }

  /** Why there is no text: what is missing, and what became of each data object. */
  faults(message: string): readonly ExportFault[] {
    const isOfObject = ({ path }: Losses[number]) => path[0] === 'dataObjects' && path.length === 2
    return [{ message, path: [] }, ...this.losses.filter(isOfObject).slice(0, MOST_FAULTS)]
  }

  /** Reports each key of an item that says nothing about numbers and has no place in the format. */
  inert(path: Path, entry: object, uses: Readonly<Record<string, KeyUse>>): void {
    const says = this.unsaid.kind === 'inert' ? this.unsaid.says : 'is not in the text'
    for (const key of Object.keys(entry))
      if (uses[key] === 'inert' || uses[key] === 'constant')
        this.lose('inert', [...path, key], `'${key}' ${says}: no number depends on it.`)
  }
}

/** Throws `Unsaid` for a key that the format has no place for, and on which numbers can depend. */
export function checkKeys(entry: object, uses: Readonly<Record<string, KeyUse>>): void {
  for (const [key, value] of Object.entries(entry)) {
    const use = Object.hasOwn(uses, key) ? uses[key] : { refused: `the format has no place for '${key}'` }
    if (typeof use === 'object') throw new Unsaid(use.refused)
    // A value in braces is that of each row, or of each question.
    if (use === 'constant' && (typeof value !== 'string' || value.includes('{')))
      throw new Unsaid(`its '${key}' differs from row to row`)
  }
}
