import { EventEmitter } from 'node:events'
import t from 'tap'
import { loadPostgres } from './driver.js'

/** Takes what the driver says, and notes it. */
class Wire extends EventEmitter {
  readonly said: string[] = []
  readonly #note = (what: string) => () => void this.said.push(what)
  readonly parse = ({ text }: { readonly text: string }) => void this.said.push(`parse ${text}`)
  readonly bind = this.#note('bind')
  readonly describe = this.#note('describe')
  readonly execute = this.#note('execute')
  readonly close = this.#note('close')
  readonly sync = this.#note('sync')
  readonly flush = this.#note('flush')
}

/** What the client calls as the server says it. */
interface Told {
  submit(wire: Wire): void
  handleRowDescription(message: object): void
  handleDataRow(message: object): void
  handleCommandComplete(message: object): void
  handleReadyForQuery(): void
  read(rows: number, done: (error: Error | null, rows: readonly unknown[]) => void): void
}

async function cursor() {
  const { Cursor } = await loadPostgres()
  const wire = new Wire()
  const told = new Cursor('SELECT 1', [], { rowMode: 'array' } as never) as unknown as Told
  told.submit(wire)
  const given: (readonly unknown[])[] = []
  told.read(10, (error, rows) => {
    if (error) throw error
    given.push(rows)
  })
  return { wire, told, given }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

t.test(
  'the transaction begins in the message of the query, and the last rows are returned before the cursor is closed',
  async (t) => {
    const { wire, told, given } = await cursor()
    t.same(wire.said, [
      'parse BEGIN READ ONLY',
      'bind',
      'execute',
      'parse SELECT 1',
      'bind',
      'describe',
      'flush',
      'execute',
      'flush',
    ])
    told.handleCommandComplete({ text: 'BEGIN' })
    await turn()
    t.same(given, [], 'what begins the transaction is no answer')
    told.handleRowDescription({ fields: [{ name: 'n', dataTypeID: 25, format: 'text' }] })
    told.handleDataRow({ fields: ['1'] })
    told.handleCommandComplete({ text: 'SELECT 1' })
    await turn()
    t.same(given, [[['1']]])
    t.same(wire.said.slice(-2), ['close', 'sync'], 'the connection is at rest only after that')
    told.handleReadyForQuery()
    await turn()
    t.same(given.length, 1, 'once')
  },
)
