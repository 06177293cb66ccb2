import type { KeptCompilation, Verdict } from '../cache/compile-cache.js'
import { errorCatalog } from '../error-catalog.js'
import { type Finding, GrainlineError, warning } from '../errors.js'
import type { CompiledQuery } from '../sql/compiled-query.js'
import type { Asker } from './asker.js'
import { clientOf } from './asking.js'
import { VALID } from './compile-result.js'
import type { Connections } from './connections.js'
import type { Asked } from './query-compiler.js'

/** Asks databases whether compiled statements are valid. */
export class QueryVerdicts {
  constructor(
    private readonly connections: Connections,
    private readonly enabled: boolean,
  ) {}

  /** The result of the check of a cached statement: a positive one is cached with it, any other may change by the next time. */
  on({ kept, unreachable }: Pick<Asked, 'kept' | 'unreachable'>, asker: Asker | undefined): Verdict | Promise<Verdict> {
    if (kept.verdict !== undefined) return kept.verdict
    const asked = this.#kept(kept, () => asked, this.#check(kept.compiled, unreachable, asker))
    kept.verdict = asked
    return asked
  }

  /** The answer of the database, kept if it is still the one that is awaited. */
  async #kept(kept: KeptCompilation, asked: () => Promise<Verdict>, answer: Promise<Verdict>): Promise<Verdict> {
    let lasting: Verdict | undefined
    try {
      const verdict = await answer
      if (verdict === VALID) lasting = verdict
      return verdict
    } finally {
      if (kept.verdict === asked()) kept.verdict = lasting
    }
  }

  /** Whether the statement is valid, according to the database of its dialect if one is connected. */
  async #check(compiled: CompiledQuery, unreachable: unknown, asker: Asker | undefined): Promise<Verdict> {
    const { dialect, sql } = compiled
    if (unreachable) whenUnavailable(unreachable)
    if (!this.enabled || !this.connections.runs(dialect)) return unchecked(`no connection runs ${dialect}`)
    const opened = unreachable ? undefined : this.connections.open(dialect, clientOf(asker))
    const answer = await opened?.then((connection) => connection.check(sql)).catch(whenUnavailable)
    if (!answer) return unchecked(`the ${dialect} database cannot be reached`)
    if (answer.valid) return VALID
    return { valid: false, warnings: [warning('SQL_REJECTED', `The database does not accept the statement: ${answer.message}`)] }
  }
}

function unchecked(why: string): { valid: boolean; warnings: Finding[] } {
  return { valid: true, warnings: [warning('SQL_NOT_VALIDATED', `The SQL was not checked: ${why}`)] }
}

function whenUnavailable(error: unknown): undefined {
  if (error instanceof GrainlineError) return undefined
  throw error
}

/**
 * A verdict with a warning if the statement believes declarations that the database did not confirm. For a valid statement it is the same value each
 * time.
 */
export function believing(compiled: CompiledQuery, verdict: Verdict): Verdict {
  if (compiled.unchecked_columns.length === 0) return verdict
  if (verdict !== VALID) return withBelief(compiled, verdict)
  const known = BELIEVING.get(compiled) ?? withBelief(compiled, verdict)
  BELIEVING.set(compiled, known)
  return known
}

const BELIEVING = new WeakMap<CompiledQuery, Verdict>()

function withBelief({ unchecked_columns: columns }: CompiledQuery, verdict: Verdict): Verdict {
  const more = columns.length > NAMED ? ` and ${columns.length - NAMED} more` : ''
  const names = `${columns
    .slice(0, NAMED)
    .map((name) => `'${name}'`)
    .join(', ')}${more}`
  const finding = warning('TYPES_NOT_CHECKED', `The statement believes the declared types of ${names}`, {
    hint: errorCatalog.TYPES_NOT_CHECKED.fix,
    context: { columns: columns.join(', ') },
  })
  return { ...verdict, warnings: [...verdict.warnings, finding] }
}

/** The number of columns that a message names. */
const NAMED = 5
