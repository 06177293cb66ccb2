import type PgCursor from 'pg-cursor'

/** What the driver's own classes call with each other; its types do not say so. */
interface Wire {
  parse(message: object, more: boolean): void
  bind(message: object, more: boolean): void
  execute(message: object, more: boolean): void
}
interface Cursor {
  _cb: ((error: null, rows: unknown, result: unknown) => void) | null
  _rows: unknown
  readonly _result: { rows: unknown }
  submit(connection: Wire): void
  handleCommandComplete(message: unknown): void
}

/**
 * A cursor in a separate read-only transaction. The transaction begins in the same message as the statement, so that it costs
 * no round trip.
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

    /**
     * The driver returns the last rows only when the server has also closed the cursor, which is another round trip. In a transaction
     * that was begun nothing can fail between the two; the connection does nothing else until it is closed.
     */
    override handleCommandComplete(message: unknown): void {
      if (this.#begun) {
        super.handleCommandComplete(message)
        this.#deliver()
      }
      this.#begun = true
    }

    #deliver(): void {
      const { _cb: deliver, _rows: rows, _result: result } = this
      this._cb = null
      result.rows = rows
      if (deliver) setImmediate(deliver, null, rows, result)
    }
  }
  return ReadingCursor as unknown as typeof PgCursor
}
