import { refuse } from '../wire/pg-error.js'
import type { SessionSettings, Snapshot } from './session-settings.js'

/** The status letter of ReadyForQuery: idle, in a transaction, or in a failed one. */
export type TransactionStatus = 'I' | 'T' | 'E'

/** The transaction of a client. No data is written, so it affects only settings, savepoints and errors. */
export class Transaction {
  #status: TransactionStatus = 'I'
  #began: Snapshot | undefined
  #savepoints: { readonly name: string; readonly settings: Snapshot }[] = []

  constructor(readonly settings: SessionSettings) {}

  get status(): TransactionStatus {
    return this.#status
  }

  begin(): void {
    this.#status = 'T'
    this.#began = this.settings.snapshot()
  }

  /** An error within a transaction block makes the block fail. */
  fail(): void {
    if (this.#status === 'T') this.#status = 'E'
  }

  /** Ends the block. Returns false if it had failed, so that it was rolled back. */
  commit(): boolean {
    const failed = this.#status === 'E'
    if (failed) this.rollback()
    else {
      this.settings.commit()
      this.#end()
    }
    return !failed
  }

  rollback(): void {
    if (this.#began) this.settings.restore(this.#began)
    this.#end()
  }

  savepoint(name: string): void {
    if (this.#status === 'I') refuse('25P01', 'SAVEPOINT can only be used in transaction blocks')
    this.#savepoints.push({ name, settings: this.settings.snapshot() })
  }

  release(name: string): void {
    if (this.#status === 'I') refuse('25P01', 'RELEASE SAVEPOINT can only be used in transaction blocks')
    this.#savepoints.length = this.#find(name)
  }

  rollbackTo(name: string): void {
    if (this.#status === 'I') refuse('25P01', 'ROLLBACK TO SAVEPOINT can only be used in transaction blocks')
    const at = this.#find(name)
    this.settings.restore(this.#savepoints[at]!.settings)
    this.#savepoints.length = at + 1
    this.#status = 'T'
  }

  #find(name: string): number {
    const at = this.#savepoints.findLastIndex((savepoint) => savepoint.name === name)
    return at < 0 ? refuse('3B001', `savepoint "${name}" does not exist`) : at
  }

  #end(): void {
    this.#status = 'I'
    this.#began = undefined
    this.#savepoints = []
  }
}
