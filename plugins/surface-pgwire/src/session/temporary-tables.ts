import type { Statement } from '../statements/statement.js'
import { refuse } from '../wire/pg-error.js'
import type { Session } from './session.js'

const MOST_STATEMENTS = 50
const MOST_CHARACTERS = 64 * 1024

/** The statements that made a connection's temporary tables: they are said again before each look, as nothing is kept in the catalogue. */
export class TemporaryTables {
  #statements: { readonly table: string; readonly text: string }[] = []

  get statements(): readonly string[] {
    return this.#statements.map(({ text }) => text)
  }

  has(table: string): boolean {
    return this.#statements.some((statement) => statement.table === table)
  }

  /** Throws when the connection has said enough. */
  add(table: string, text: string): void {
    const length = this.#statements.reduce((sum, statement) => sum + statement.text.length, text.length)
    if (this.#statements.length >= MOST_STATEMENTS || length > MOST_CHARACTERS)
      refuse('53400', 'temporary tables are for trying out only, and this is too much for them')
    this.#statements.push({ table, text })
  }

  drop(table: string): void {
    this.#statements = this.#statements.filter((statement) => statement.table !== table)
  }

  clear(): void {
    this.#statements = []
  }
}

/** CREATE, INSERT and DROP of a temporary table, tried out in the catalogue before they are remembered. Resolves to the command tag. */
export async function changeTemporary(
  session: Session,
  { table, text, tag }: Statement & { readonly kind: 'temporary' },
): Promise<string> {
  const { temporary } = session
  const creates = tag === 'CREATE TABLE' || tag === 'SELECT'
  if (!creates && !temporary.has(table)) {
    const verb = tag === 'INSERT' ? 'INSERT' : 'DROP TABLE'
    refuse('25006', `cannot execute ${verb} in a read-only transaction`, { hint: 'Models can be read and not written.' })
  }
  if (tag === 'DROP TABLE') {
    temporary.drop(table)
    return tag
  }
  const stop = new AbortController()
  const done = await session.watched(stop, () => session.services.tryTemporary(text, stop.signal))
  temporary.add(table, text)
  return done
}
