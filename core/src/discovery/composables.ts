import { setImmediate as nextTurn } from 'node:timers/promises'
import { GrainlineError } from '../errors.js'
import { type Graded, isOffered, type SemanticModel } from '../model/semantic-model.js'
import type { QueryObject } from '../query/query-object.js'
import { classesOf } from './alike.js'

/** Fields that can be added to a query, each alone, so that the query compiles. Lists are in the order of the model. */
export interface Composables {
  /** The objects whose rows the query counts so far. */
  readonly anchorObjects: readonly string[]
  readonly dimensions: readonly string[]
  readonly measures: readonly string[]
  readonly metrics: readonly string[]
  /** Measures over the rows of one more object, which are aggregated separately and then combined. */
  readonly cflMeasures: readonly string[]
  readonly cflMetrics: readonly string[]
}

/** Compiles a query, and returns the objects whose rows it counts. Throws a `GrainlineError` if it does not compile. */
export type Compile = (query: QueryObject) => readonly string[]

/** Milliseconds between two turns of the event loop. */
const SLICE_MS = 10

/**
 * Compiles the query with one field of each class of fields that are the same to the planner. `query` may select nothing yet. Throws the
 * query's own error if no addition fixes it.
 */
export async function composables(query: QueryObject, model: SemanticModel, compile: Compile): Promise<Composables> {
  const own = attempt(() => compile(query))
  const asked = new Asked(query, compile)
  const classes = classesOf(model)
  const dimensions = await asked.accepted(shown(model), classes.dimension, withDimension)
  const measures = await asked.accepted(offered(model.measures), classes.measure, withMeasure)
  const metrics = await asked.accepted(offered(model.metrics), classes.metric, withMeasure)
  const isEmpty = selectsNothing(query)
  if (own instanceof GrainlineError && !isEmpty && dimensions.size + measures.size + metrics.size === 0) throw own
  const facts = own instanceof GrainlineError ? [] : own
  const counted = query.select.measures.length > 0 ? facts : []
  const combines = (objects: readonly string[]): boolean =>
    new Set([...counted, ...objects]).size > Math.max(1, new Set(counted).size)
  const plain = (found: Accepted) => [...found].filter(([, objects]) => !combines(objects)).map(([name]) => name)
  const multiFact = (found: Accepted) => [...found].filter(([, objects]) => combines(objects)).map(([name]) => name)
  return {
    anchorObjects: [...new Set(facts)],
    dimensions: [...dimensions.keys()],
    measures: plain(measures),
    metrics: plain(metrics),
    cflMeasures: multiFact(measures),
    cflMetrics: multiFact(metrics),
  }
}

/** Names with the objects whose rows the query then counts. */
type Accepted = ReadonlyMap<string, readonly string[]>
type Add = (query: QueryObject, name: string) => QueryObject

class Asked {
  readonly #answers = new Map<string, readonly string[] | GrainlineError>()
  readonly #mentioned: (name: string) => boolean
  #began = performance.now()

  constructor(
    private readonly query: QueryObject,
    private readonly compile: Compile,
  ) {
    this.#mentioned = mentionsIn(query)
  }

  async accepted(names: Iterable<string>, classOf: (name: string) => number, add: Add): Promise<Accepted> {
    const found = new Map<string, readonly string[]>()
    for (const name of names) {
      // A name that the query contains is different from the others of its class.
      const key = `${classOf(name)} ${this.#mentioned(name) ? name : ''}`
      const answer = this.#answers.get(key) ?? (await this.#ask(add(this.query, name)))
      this.#answers.set(key, answer)
      if (!(answer instanceof GrainlineError)) found.set(name, answer)
    }
    return found
  }

  async #ask(query: QueryObject): Promise<readonly string[] | GrainlineError> {
    if (performance.now() - this.#began > SLICE_MS) {
      await nextTurn()
      this.#began = performance.now()
    }
    return attempt(() => this.compile(query))
  }
}

const withDimension: Add = ({ select, ...rest }, name) => {
  const dimensions = [...select.dimensions, { kind: 'name' as const, text: name }]
  return { ...rest, select: { ...select, dimensions } }
}

const withMeasure: Add = ({ select, ...rest }, name) => ({
  ...rest,
  select: { ...select, measures: [...select.measures, name] },
})

/** Whether a query contains a name, in any case, alone or with a grain. */
function mentionsIn(query: QueryObject): (name: string) => boolean {
  const texts = new Set<string>()
  const stack: unknown[] = [query]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (typeof top === 'string')
      for (const text of [top, top.slice(0, top.lastIndexOf(':'))]) texts.add(text.trim().toLowerCase())
    else if (typeof top === 'object' && top !== null) for (const item of Object.values(top)) stack.push(item ?? '')
  }
  return (name) => texts.has(name.trim().toLowerCase())
}

/** The measures or metrics that lists of fields show. */
function* offered(fields: ReadonlyMap<string, Graded>): Iterable<string> {
  for (const [name, field] of fields) if (isOffered(field)) yield name
}

/** The dimensions that lists of fields show. */
function* shown({ dimensions }: SemanticModel): Iterable<string> {
  for (const { name, hidden } of dimensions.values()) if (!hidden) yield name
}

const selectsNothing = ({ select }: QueryObject): boolean =>
  select.dimensions.length + select.measures.length + select.fields.length === 0

function attempt(work: () => readonly string[]): readonly string[] | GrainlineError {
  try {
    return work()
  } catch (error) {
    if (error instanceof GrainlineError) return error
    throw error
  }
}
