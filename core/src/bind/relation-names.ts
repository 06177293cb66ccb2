import { Aliases } from '../resolve/aliases.js'

/** A relation of a block, and what it would like to be called. */
export interface NamedRelation {
  /** Its name within the block. */
  readonly name: string
  /** The object that it is a role of, or what it is derived from. */
  readonly of: string
  /** Set where it is derived. */
  readonly suffix: string | undefined
}

/** Names relations apart within one block, and remembers how they would like to be called. */
export class RelationNames {
  readonly #names = new Aliases()
  readonly #given: NamedRelation[] = []

  get given(): readonly NamedRelation[] {
    return this.#given
  }

  /** A role of an object. */
  relation(of: string): string {
    return this.#note(this.#names.relation(of), of, undefined)
  }

  /** A relation of the statement's own making. */
  derived(of: string, suffix: string): string {
    return this.#note(this.#names.derived(of, suffix), of, suffix)
  }

  #note(name: string, of: string, suffix: string | undefined): string {
    this.#given.push({ name, of, suffix })
    return name
  }
}
