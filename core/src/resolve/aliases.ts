import { originOf } from '../relation/relation.js'

/** Assigns aliases that are similar to the model's names, each once in a statement, whatever the case rules of the engine. */
export class Aliases {
  readonly #taken = new Set<string>()
  readonly #tables: ReadonlySet<string>
  readonly #columns: ReadonlySet<string>

  /** `tables`: names in lower case that a common table expression must not have; `columns`: those that no other column may have. */
  constructor(tables: ReadonlySet<string> = NONE, columns: Iterable<string> = NONE) {
    this.#tables = tables
    this.#columns = lowerCase(columns)
  }

  /** An alias for a role of an object: lower case, letters, digits and underscores. */
  relation(name: string): string {
    return this.#unique(slug(name))
  }

  /** The same for a relation that the statement creates, which never has the name of a table of the model. */
  derived(name: string): string {
    return this.#unique(slug(name), this.#tables)
  }

  /** The name itself if it is unused, otherwise the name with a number. */
  column(name: string): string {
    return this.#unique(name, this.#columns)
  }

  #unique(name: string, reserved: ReadonlySet<string> = NONE): string {
    const isFree = (key: string): boolean => !this.#taken.has(key) && !reserved.has(key)
    let unique = name
    for (let n = 2; !isFree(unique.toLowerCase()); n++) unique = `${name}_${n}`
    this.#taken.add(unique.toLowerCase())
    return unique
  }
}

const NONE: ReadonlySet<string> = new Set()
const lowerCase = (names: Iterable<string>): ReadonlySet<string> => new Set([...names].map((name) => name.toLowerCase()))

/** The name of a relation before it is made unique. */
export function plainName(relation: string): string {
  const origin = originOf(relation)
  switch (origin.kind) {
    case 'path':
      return slug([origin.root, ...origin.steps.map(({ to }) => to)].join(' '))
    case 'measured':
      return slug(origin.column)
    case 'made':
      return slug(origin.of) + origin.suffix
    case 'named':
      return origin.name
  }
}

type Names = readonly { readonly name: string }[]

/** A name that no column beside it has, in any case. */
export const freeName = (name: string, beside: Names): string => (isTaken(name, beside) ? numbered(name, 2, beside) : name)

/** The same with a number in any case: `value_1`. */
export const numberedName = (name: string, beside: Names): string => numbered(name, 1, beside)

function numbered(name: string, first: number, beside: Names): string {
  let number = first
  while (isTaken(`${name}_${number}`, beside)) number++
  return `${name}_${number}`
}

const isTaken = (name: string, beside: Names): boolean =>
  beside.some((column) => column.name.toLowerCase() === name.toLowerCase())

const SLUG = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/

function slug(name: string): string {
  const lower = name.toLowerCase()
  if (SLUG.test(lower)) return lower
  const plain = lower.replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '')
  return /^[a-z]/.test(plain) ? plain : `t${plain && `_${plain}`}`
}

/** Names for the columns of the row set: each equal to that of its field, with a number if another name differs only in case. */
export function columnNamer(given: Set<string>): (field: string, name: string) => string {
  const aliases = new Aliases()
  const known = new Map<string, string>()
  return (field, name) => {
    const found = known.get(field) ?? aliases.column(name)
    known.set(field, found)
    given.add(found)
    return found
  }
}
