import { refuse } from '../wire/pg-error.js'

const MOST_STATEMENTS = 50
const MOST_CHARACTERS = 64 * 1024

/** The statements that created a connection's temporary tables. They run before each catalogue query, because all connections share the catalogue. */
export class TemporaryTables {
  #statements: { readonly table: string; readonly text: string }[] = []

  get statements(): readonly string[] {
    return this.#statements.map(({ text }) => text)
  }

  has(table: string): boolean {
    return this.#statements.some((statement) => statement.table === table)
  }

  /** Throws if the connection has too many. */
  add(table: string, text: string): void {
    const length = this.#statements.reduce((sum, statement) => sum + statement.text.length, text.length)
    if (this.#statements.length >= MOST_STATEMENTS || length > MOST_CHARACTERS)
      refuse(
        '53400',
        `the temporary tables of a connection are limited to ${MOST_STATEMENTS} statements and ${MOST_CHARACTERS} characters`,
      )
    this.#statements.push({ table, text })
  }

  drop(table: string): void {
    this.#statements = this.#statements.filter((statement) => statement.table !== table)
  }

  clear(): void {
    this.#statements = []
  }
}
