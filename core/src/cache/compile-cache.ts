/** Compiled queries, shared by every surface. A query with relative filters is compiled again when its periods have passed. */
import { createHash } from 'node:crypto'
import type { Finding } from '../errors.js'
import { remembering } from '../immutable.js'
import { Lru } from '../lru.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { QueryObject } from '../query/query-object.js'
import { stillReads } from '../resolve/clock.js'
import type { CellView, ShownTypes } from '../resolve/resolved-query.js'
import type { CompiledQuery } from '../sql/compiled-query.js'

/** The result of checking a statement with a parser or a database of its dialect. */
export interface Verdict {
  readonly valid: boolean
  readonly warnings: readonly Finding[]
}

/** A compiled query, and the results of checks of its text so far. */
export interface KeptCompilation {
  /** The query as it was first sent. Later callers get the same value. */
  readonly query: QueryObject
  readonly compiled: CompiledQuery
  /** Runs at most once at a time; stored only if it does not depend on the state of a connection. */
  verdict?: Verdict | Promise<Verdict> | undefined
}

export interface CompileCacheStats {
  readonly entries: number
  /** Estimated. */
  readonly bytes: number
  readonly hits: number
  readonly misses: number
  readonly evictions: number
}

export interface CompileCacheLimits {
  /** 0 stores nothing. */
  readonly maxEntries: number
  readonly maxBytes: number
  /** Larger ones are not stored. */
  readonly maxEntryBytes: number
}

/** The key of a compilation, without the current time. It contains the hash of the model's content, so that sessions share compilations. */
export interface CompileKey {
  readonly query: QueryObject
  readonly model: SemanticModel
  readonly dialect: string
  /** How the database stores the columns, as far as it is known. */
  readonly physical: string
  /** The limit of a query without its own. */
  readonly defaultLimit: number | undefined
  readonly everyRowOf: string | undefined
  readonly shownAs: ShownTypes | undefined
  readonly behind: CellView | undefined
  /** The builds of rollup tables that it may read. */
  readonly rollups: string
}

export class CompileCache {
  readonly #kept: Lru<KeptCompilation>
  #hits = 0
  #misses = 0

  constructor(private readonly limits: CompileCacheLimits) {
    this.#kept = new Lru(limits)
  }

  /** The cached compilation of this query, if it is still correct at `now`, or else the one that `compile` creates. Errors are not stored. */
  get(key: CompileKey, now: Date, compile: () => CompiledQuery): KeptCompilation {
    const name = nameOf(key)
    const known = this.#kept.get(name)
    if (known && stillReads(known.compiled.readings, now)) {
      this.#hits += 1
      return known
    }
    this.#misses += 1
    const made = { query: key.query, compiled: compile() }
    const { maxEntryBytes } = this.limits
    // A long statement is too large in any case, so that its parts need not be measured.
    const bytes = 4 * made.compiled.sql.length > maxEntryBytes ? maxEntryBytes + 1 : bytesOf(name, made.compiled)
    if (bytes <= maxEntryBytes) this.#kept.set(name, made, bytes)
    else this.#kept.delete(name)
    return made
  }

  /** The same for one principal: `shared` is compiled for all who differ from it in values only, and `fill` gives it these values. */
  filled(
    key: CompileKey,
    now: Date,
    shared: () => KeptCompilation,
    fill: (shared: CompiledQuery) => CompiledQuery,
  ): KeptCompilation {
    const name = nameOf(key)
    const known = this.#kept.get(name)
    if (known && stillReads(known.compiled.readings, now)) {
      this.#hits += 1
      return known
    }
    const { query, compiled } = shared()
    const made = { query, compiled: fill(compiled) }
    // All but the text belongs to what is shared.
    const bytes = 2 * name.length + 4 * made.compiled.sql.length
    if (bytes <= this.limits.maxEntryBytes) this.#kept.set(name, made, bytes)
    return made
  }

  get stats(): CompileCacheStats {
    const { size: entries, bytes, evictions } = this.#kept
    return { entries, bytes, hits: this.#hits, misses: this.#misses, evictions }
  }

  clear(): void {
    this.#kept.clear()
  }
}

/** The query or the model contains the time zone. An unchanged query has the same name, or names, each time. */
function nameOf(key: CompileKey): string {
  const { text, names } = textOf(key.query)
  const known = names.find((each) => isSame(each, key))
  if (known !== undefined) return known.name
  const { model, dialect, physical, defaultLimit, everyRowOf, shownAs, behind, rollups } = key
  const view = isOwn(key) ? '' : JSON.stringify([everyRowOf, shownAs, behind])
  const name = `${model.contentHash} ${dialect} ${physical} ${defaultLimit ?? ''} ${rollups} ${view} ${text}`
  if (names.length >= MOST_NAMES) names.length = 0
  if (view === '') names.push({ content: model.contentHash, dialect, physical, defaultLimit, rollups, name })
  return name
}

/** The name of a query for its own rows; the names of other views are not stored. */
interface Name extends Pick<CompileKey, 'dialect' | 'physical' | 'defaultLimit' | 'rollups'> {
  /** The hash of the model's content. */
  readonly content: string
  readonly name: string
}

/** Whether a query is asked for its own rows, and not for another view. */
const isOwn = ({ everyRowOf, shownAs, behind }: CompileKey): boolean =>
  everyRowOf === undefined && shownAs === undefined && behind === undefined

/** Compared field by field, which is faster than a joined text. */
const isSame = (known: Name, key: CompileKey): boolean =>
  isOwn(key) &&
  known.content === key.model.contentHash &&
  known.dialect === key.dialect &&
  known.physical === key.physical &&
  known.rollups === key.rollups &&
  known.defaultLimit === key.defaultLimit

/** For one query: with and without a limit, for some versions of its model. */
const MOST_NAMES = 8

/** Long queries are stored under their hash. */
const textOf = remembering((query: QueryObject) => {
  const text = JSON.stringify(query)
  const short = text.length > 2048 ? createHash('sha256').update(text).digest('hex') : text
  const names: Name[] = []
  return { text: short, names }
})

/** Two bytes for each character of the stored texts, as engines store text, and as many for the answers that surfaces store with them. */
function bytesOf(name: string, { readings: _, ...compiled }: CompiledQuery): number {
  return 2 * name.length + 4 * (JSON.stringify(compiled).length + EXPLAINED * compiled.sql.length)
}

/** An explanation, or the plan that it is made of, takes so many times the room of the SQL. It is not made for the sake of its size. */
const EXPLAINED = 5
