import type PgCursor from 'pg-cursor'

/** What the driver's own classes call with each other; its types do not say so. */
interface Wire {
  parse(message: object, more: boolean): void
  bind(message: object, more: boolean): void
  execute(message: object, more: boolean): void
}
interface Cursor {
  submit(connection: Wire): void
  handleCommandComplete(message: unknown): void
}

/**
 * A cursor in a transaction of its own, which reads only. The transaction is begun in the same message as the statement, so that it costs
 * no way to the server and back.
 */
export function readingCursor(base: typeof PgCursor): typeof PgCursor {
  const Base = base as unknown as new (...args: never[]) => Cursor
  class ReadingCursor extends Base {
    #begun = false

    override submit(connection: Wire): void {
      connection.parse({ text: 'BEGIN READ ONLY' }, true)
      connection.bind({}, true)
      connection.execute({}, true)
      super.submit(connection)
    }

    override handleCommandComplete(message: unknown): void {
      if (this.#begun) super.handleCommandComplete(message)
      this.#begun = true
    }
  }
  return ReadingCursor as unknown as typeof PgCursor
}
