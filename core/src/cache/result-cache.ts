/**
 * Answers of databases, cached as long as their tables allow.
 *
 * A heartbeat writes a new mark for its table, and the marks of all tables of a query, as they were before its statement began, are part of
 * its key. So an answer that was running during a heartbeat is never found again, whichever process stored it.
 */
import { createHash } from 'node:crypto'
import { GrainlineError } from '../errors.js'
import type { Logger } from '../logger.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { QueryObject } from '../query/query-object.js'
import { type Made, NOTHING_MADE } from '../result/whole-batches.js'
import type { CompiledQuery } from '../sql/compiled-query.js'
import { decodeAnswer, encodeAnswer, type KeptAnswer } from './answer-codec.js'
import type { CacheStore, Swept } from './cache-store.js'
import { type FreshnessPolicy, type Lifetime, lifetimeOf } from './freshness.js'
import { ANY_TABLE, marksFor, marksOf, mayBeSame, tablesOf } from './table-name.js'

export interface ResultCacheDeps {
  readonly store: CacheStore
  readonly policy: FreshnessPolicy
  /** The key that signs answers. Rejects with `CACHE_UNAVAILABLE`. */
  readonly secret: () => Promise<Uint8Array>
  /** Larger answers are not stored. */
  readonly maxValueBytes: number
  readonly logger: Logger
  readonly now: () => Date
  readonly randomId: () => string
}

/** The query of an answer. */
export interface CacheQuestion {
  readonly query: QueryObject
  readonly model: SemanticModel
  readonly compiled: CompiledQuery
  /** The row limit after which the answer is truncated. */
  readonly cut: number | undefined
  /** The database that the connection reads. */
  readonly source: string
}

/** The place of an answer in the store. */
export interface Place {
  readonly key: string
  /** The key that signs the answer. */
  readonly secret: Uint8Array
  readonly lifetime: Lifetime
  /** When the lifetime begins and ends, in milliseconds since 1970. */
  readonly keptAt: number
  readonly expiresAt: number
}

/** An answer that was found, with its stored representations. */
export interface FoundAnswer extends KeptAnswer {
  /** Its lifetime, and `keptAt` in ISO 8601. */
  readonly facts: Lifetime & { readonly cachedAt: string }
  readonly made: Made
}

export interface ResultCacheStats {
  readonly entries: number
  readonly bytes: number
  readonly hits: number
  readonly misses: number
  readonly oldestAt: number | undefined
  readonly tables: number
  readonly invalidations: number
}

const ANSWERS = 'answer/'
const MARKS = 'mark/'
/** Few enough for a working store to finish them in time. */
const DELETED_AT_ONCE = 500

export class ResultCache {
  #hits = 0
  #misses = 0
  #invalidations = 0
  #secret: Uint8Array | undefined
  readonly #writes = new Set<Promise<void>>()
  /** Answers that were checked before: a store in memory returns the same bytes again, which need no second check. */
  readonly #decoded = new WeakMap<Uint8Array, { readonly key: string; readonly answer: FoundAnswer }>()

  constructor(private readonly deps: ResultCacheDeps) {}

  get maxValueBytes(): number {
    return this.deps.maxValueBytes
  }

  /**
   * The place of an answer; `undefined` if it must not be cached or the store does not work. Call this before the statement begins. Not a
   * promise if the store is in memory.
   */
  placeOf(question: CacheQuestion): Place | undefined | Promise<Place | undefined> {
    const { compiled, model } = question
    const now = this.deps.now()
    const lifetime = lifetimeOf(compiled.data_objects, model, now, this.deps.policy, ageOf(compiled, now))
    if (!lifetime) return undefined
    const read = readBy(compiled.data_objects, model)
    const at = (marks: readonly Mark[], secret: Uint8Array): Place => {
      const [key, keptAt] = [keyOf(question, marks.map(textOfMark), read.tables), now.getTime()]
      return { key, secret, lifetime, keptAt, expiresAt: keptAt + lifetime.seconds * 1000 }
    }
    const marks = read.marks.map((mark) => this.deps.store.get(mark))
    return this.#secret && areHere(marks) ? at(marks, this.#secret) : this.#placeLater(marks, at)
  }

  async #placeLater(marks: readonly (Mark | Promise<Mark>)[], at: (marks: readonly Mark[], secret: Uint8Array) => Place) {
    try {
      const here = await Promise.all(marks)
      this.#secret = await this.deps.secret()
      return at(here, this.#secret)
    } catch (error) {
      return whenUnavailable(error)
    }
  }

  /** The answer at this place, if it is intact, not expired, and not from the future. Not a promise if the store is in memory. */
  find(place: Place, { compiled }: CacheQuestion): FoundAnswer | undefined | Promise<FoundAnswer | undefined> {
    const stored = this.deps.store.get(place.key)
    const found = (bytes: Uint8Array | undefined) => this.#valid(bytes, place, compiled)
    return stored instanceof Promise ? stored.catch(whenUnavailable).then(found) : found(stored)
  }

  #valid(bytes: Uint8Array | undefined, { key, secret, keptAt: now }: Place, { columns: schema }: CompiledQuery) {
    const answer = bytes && this.#read(bytes, { key, schema, secret })
    if (bytes && !answer) this.deps.logger.warn({ key }, 'A cache entry is damaged or has another signature, and was ignored')
    const valid = answer !== undefined && answer.keptAt <= now && now < answer.expiresAt
    if (valid) this.#hits += 1
    else this.#misses += 1
    return valid ? answer : undefined
  }

  #read(bytes: Uint8Array, expected: Parameters<typeof decodeAnswer>[0]): FoundAnswer | undefined {
    const { key } = expected
    const known = this.#decoded.get(bytes)
    if (known?.key === key) return known.answer
    const read = decodeAnswer(expected, bytes)
    if (read === undefined) return undefined
    const { store, maxValueBytes } = this.deps
    const { seconds, source, limitingTable } = read.lifetime
    const facts = { cachedAt: new Date(read.keptAt).toISOString(), seconds, source, limitingTable }
    const made = store.keepBeside
      ? madeBeside((held, drop) => store.keepBeside?.(key, bytes, held, drop) ?? false, maxValueBytes)
      : NOTHING_MADE
    const answer = { ...read, facts, made }
    this.#decoded.set(bytes, { key, answer })
    return answer
  }

  /** Stores an answer; resolves when it is stored. The store logs failures, which do no harm. */
  async keep({ key, secret, ...place }: Place, answer: Pick<KeptAnswer, 'batches' | 'rowCount' | 'truncated'>): Promise<void> {
    const seconds = (place.expiresAt - this.deps.now().getTime()) / 1000
    const bytes = encodeAnswer(key, { ...place, ...answer }, secret)
    if (seconds <= 0 || bytes.byteLength > this.deps.maxValueBytes) return
    const write = this.deps.store.set(key, bytes, seconds).catch(whenUnavailable)
    const done = write.finally(() => this.#writes.delete(done))
    this.#writes.add(done)
    await done
  }

  /** Removes all answers that read a table of this folded name; returns how many there were. Rejects if the mark cannot be written. */
  async invalidate(table: string): Promise<number> {
    const mark = Buffer.from(this.deps.randomId())
    // A mark outlives all entries that were stored before it.
    const seconds = this.deps.policy.maxSeconds + 3600
    await Promise.all(marksOf(table).map((name) => this.deps.store.set(MARKS + name, mark, seconds)))
    const reads = (key: string) => tablesIn(key).some((other) => other === ANY_TABLE || mayBeSame(other, table))
    const forgotten = await this.#deleteWhere(reads)
    this.#invalidations += forgotten
    return forgotten
  }

  clear(): Promise<number> {
    return this.#deleteWhere(() => true)
  }

  sweep(): Promise<Swept> {
    return this.deps.store.sweep()
  }

  async stats(): Promise<ResultCacheStats> {
    const tables = new Set<string>()
    let [entries, bytes, oldestAt] = [0, 0, Number.POSITIVE_INFINITY]
    for await (const entry of this.deps.store.entries()) {
      if (!entry.key.startsWith(ANSWERS)) continue
      entries += 1
      bytes += entry.bytes
      oldestAt = Math.min(oldestAt, entry.storedAt ?? Number.POSITIVE_INFINITY)
      for (const table of tablesIn(entry.key)) tables.add(table)
    }
    return {
      entries,
      bytes,
      hits: this.#hits,
      misses: this.#misses,
      oldestAt: Number.isFinite(oldestAt) ? oldestAt : undefined,
      tables: tables.size,
      invalidations: this.#invalidations,
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#writes)
    await this.deps.store.close()
  }

  async #deleteWhere(matches: (key: string) => boolean): Promise<number> {
    const keys: string[] = []
    for await (const { key } of this.deps.store.entries()) if (key.startsWith(ANSWERS) && matches(key)) keys.push(key)
    let deleted = 0
    for (let at = 0; at < keys.length; at += DELETED_AT_ONCE)
      deleted += await this.deps.store.deleteMany(keys.slice(at, at + DELETED_AT_ONCE))
    return deleted
  }
}

/** The representations of one answer. The store counts them: `room` says whether there is space for so many bytes. */
function madeBeside(room: (bytes: number, drop: () => void) => boolean, most: number): Made {
  const parts = new Map<string, Buffer>()
  let held = 0
  const drop = () => {
    parts.clear()
    held = 0
  }
  return {
    most,
    get: (name) => parts.get(name),
    keep(name, bytes) {
      const known = parts.get(name)
      const all = held - (known?.length ?? 0) + bytes.length
      if ((known === undefined && parts.size >= MOST_PARTS) || all > most || !room(all, drop)) return
      held = all
      parts.set(name, bytes)
    },
  }
}

/** Formats, encodings, locales and time zones in which clients request one answer. */
const MOST_PARTS = 16

/** How long ago the oldest table of a rollup was built that a statement reads, in seconds. */
const ageOf = ({ rollups }: CompiledQuery, now: Date): number =>
  Math.max(0, ...rollups.map(({ asOf }) => (now.getTime() - Date.parse(asOf)) / 1000))

type Mark = Uint8Array | undefined

const areHere = (marks: readonly (Mark | Promise<Mark>)[]): marks is readonly Mark[] =>
  !marks.some((mark) => mark instanceof Promise)

const textOfMark = (mark: Mark): string => (mark ? Buffer.from(mark).toString('latin1') : '')

interface Reads {
  /** The hash of the model's content. */
  readonly content: string
  /** The tables, as in a key. */
  readonly tables: string
  /** The keys of all their marks. */
  readonly marks: readonly string[]
}

/** The tables that these objects of a model read. A cached compilation has the same list each time. */
function readBy(objects: readonly string[], model: SemanticModel): Reads {
  const known = READS.get(objects)
  if (known?.content === model.contentHash) return known
  const tables = tablesOf(objects, model)
  const marks = [...new Set(tables.flatMap(marksFor))].map((name) => MARKS + name)
  const reads = { content: model.contentHash, tables: tables.join('|'), marks }
  READS.set(objects, reads)
  return reads
}

const READS = new WeakMap<readonly string[], Reads>()

/** Increased with every change of the content of an answer or of its computation. */
const VERSION = 1

/**
 * By content only, so that a restart and a second process find it too. The statement contains the resolved times of relative filters, and
 * the time zone if it affects the rows; the key also contains the query, because answers may differ in one of them only.
 */
function keyOf({ query, model, compiled, cut, source }: CacheQuestion, marks: readonly string[], tables: string): string {
  const asked = { query, content: model.contentHash, marks: marks.join('\n'), cut, source }
  const known = KEYS.get(compiled)
  if (known !== undefined && isSame(known, asked)) return known.key
  const zone = compiled.readings.zone
  const parts = [VERSION, model.contentHash, compiled.dialect, compiled.sql, source, cut ?? null, zone, query, marks]
  const name = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  const key = `${ANSWERS}${name}/${tables}`
  KEYS.set(compiled, { ...asked, key })
  return key
}

interface AskedFor extends Pick<CacheQuestion, 'query' | 'cut' | 'source'> {
  /** The hash of the model's content. */
  readonly content: string
  readonly marks: string
}

/** Compared one by one: joining them takes longer than everything else for a cached answer. */
const isSame = (a: AskedFor, b: AskedFor): boolean =>
  a.query === b.query && a.content === b.content && a.marks === b.marks && a.cut === b.cut && a.source === b.source

/** The last key of each cached compilation: a repeated query has the same one. */
const KEYS = new WeakMap<CompiledQuery, AskedFor & { readonly key: string }>()

const tablesIn = (key: string): readonly string[] => key.split('/')[2]?.split('|') ?? []

function whenUnavailable(error: unknown): undefined {
  if (error instanceof GrainlineError && error.code === 'CACHE_UNAVAILABLE') return undefined
  throw error
}
