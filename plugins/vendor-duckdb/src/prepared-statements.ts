import type { Connection, PreparedStatement } from '@duckdb/node-bindings'
import type { Driver } from './driver.js'

/** Statements that a connection keeps ready: preparing costs more than running a small one. */
const MOST_KEPT = 64

/** A prepared statement keeps hash tables and rows of its last run: 8 MB after a LEFT JOIN of a million rows. */
interface Kept {
  readonly statement: PreparedStatement
  readonly hasRun: boolean
}

/** The prepared statements of one connection. It must be at rest while one is forgotten. */
export class PreparedStatements {
  /** The most recently used one is last. */
  readonly #kept = new Map<string, Kept>()

  constructor(
    private readonly connection: Connection,
    private readonly bindings: Driver['bindings'],
  ) {}

  /** Undefined if it is not prepared. */
  find(sql: string): PreparedStatement | undefined {
    const found = this.#kept.get(sql)
    if (found !== undefined) this.#keep(sql, found)
    return found?.statement
  }

  /** Prepares a statement that is not prepared yet. Throws the error of the engine. */
  async make(sql: string): Promise<PreparedStatement> {
    const statement = await this.bindings.prepare(this.connection, sql)
    this.#keep(sql, { statement, hasRun: false })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.forget(oldest)
    return statement
  }

  hasRun(sql: string): boolean {
    return this.#kept.get(sql)?.hasRun ?? false
  }

  noteRun(sql: string): void {
    const found = this.#kept.get(sql)
    if (found !== undefined) this.#keep(sql, { ...found, hasRun: true })
  }

  forget(sql: string): void {
    const found = this.#kept.get(sql)
    if (found === undefined) return
    this.#kept.delete(sql)
    this.bindings.destroy_prepare_sync(found.statement)
  }

  forgetAll(): void {
    for (const sql of [...this.#kept.keys()]) this.forget(sql)
  }

  #keep(sql: string, kept: Kept): void {
    this.#kept.delete(sql)
    this.#kept.set(sql, kept)
  }
}
