import type { CompileResult } from '../context.js'
import { membersOf, objectBytes, onceFor, openObject } from './json-members.js'

/** `CompileResponse` as bytes, which are created once for each cached compilation, and again if its details change. */
export const compileBody = onceFor(
  (compiled: CompileResult): Buffer =>
    textOf(compiled).with(membersOf({ warnings: compiled.warnings, sql_valid: compiled.sql_valid })),
)

/** The start of an answer, open for more members. It has no warnings: some are known only after the rows. */
export const compileHead = onceFor(
  (compiled: CompileResult): Buffer => openObject(textOf(compiled).with(membersOf({ sql_valid: compiled.sql_valid }))),
)

function textOf(compiled: CompileResult): CompileText {
  const known = TEXTS.get(compiled.resolved)
  if (known?.isOf(compiled)) return known
  const text = new CompileText(compiled)
  TEXTS.set(compiled.resolved, text)
  return text
}

const TEXTS = new WeakMap<CompileResult['resolved'], CompileText>()

/** The text of a compiled statement, with a place in it for the members that may change while the statement is the same. */
class CompileText {
  readonly #sql: string
  readonly #explain: CompileResult['explain']
  readonly #first: string
  readonly #last: string
  /** The complete objects, by their changing members. */
  readonly #objects = new Map<string, Buffer>()

  constructor({ sql, dialect, resolved, explain, physical_tables, withheld }: CompileResult) {
    this.#sql = sql
    this.#explain = explain
    this.#first = membersOf({ sql: withheld ? null : sql, dialect, resolved: withheld ? null : resolved })
    this.#last = membersOf({ explain: withheld ? null : explain(), physical_tables })
  }

  isOf({ sql, explain }: CompileResult): boolean {
    return this.#sql === sql && this.#explain === explain
  }

  with(changing: string): Buffer {
    const known = this.#objects.get(changing)
    if (known !== undefined) return known
    const object = objectBytes(this.#first, changing, this.#last)
    // These members seldom change, so one cache that is emptied when full is enough.
    if (this.#objects.size >= MOST_OBJECTS) this.#objects.clear()
    this.#objects.set(changing, object)
    return object
  }
}

const MOST_OBJECTS = 4
