/** Hands out aliases that read like the model's names, each once in a statement, whatever the case rules of the engine. */
export class Aliases {
  readonly #taken = new Set<string>()
  readonly #reserved: ReadonlySet<string>

  /** `reserved`: names that a common table expression must not take. */
  constructor(reserved: Iterable<string> = []) {
    this.#reserved = new Set([...reserved].map((name) => name.toLowerCase()))
  }

  /** An alias for a role of an object: lower case, letters, digits and underscores. */
  relation(name: string): string {
    return this.column(slug(name))
  }

  /** The same for a relation of the statement's own making, which is never named like a table of the model. */
  derived(name: string, suffix = ''): string {
    for (;;) {
      const alias = this.column(slug(name) + suffix)
      if (!this.#reserved.has(alias.toLowerCase())) return alias
    }
  }

  /** A name kept as it is where it is free; told apart by a number where it is not. */
  column(name: string): string {
    let unique = name
    for (let n = 2; this.#taken.has(unique.toLowerCase()); n++) unique = `${name}_${n}`
    this.#taken.add(unique.toLowerCase())
    return unique
  }
}

function slug(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return /^[a-z]/.test(plain) ? plain : `t${plain && `_${plain}`}`
}
