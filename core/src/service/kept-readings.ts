import { immutable } from '../immutable.js'
import { itemAt } from '../invariant.js'
import type { ModelQuery, ModelScope, Program, Reading, RelationQuery, ShownColumn, SqlParameter } from '../language/language.js'
import { Lru, type LruLimits } from '../lru.js'
import type { AskedModel } from './asked-model.js'

/** The meaning of a statement, with the program of an outer one. */
export type ReadStatement = StatementOfModels | Exclude<Reading<AskedModel>, { readonly kind: StatementOfModels['kind'] }>

/** One query of one model, or a program over the answers to several queries. */
export type StatementOfModels =
  | { readonly kind: 'model_query'; readonly modelQuery: ModelQuery<AskedModel>; readonly items: readonly ShownColumn[] }
  | { readonly kind: 'outer'; readonly program: Program<AskedModel> }

/** Everything that the meaning of a statement depends on, except the time. */
export interface StatementKey {
  readonly language: string
  readonly text: string
  readonly scope: ModelScope<AskedModel>
  readonly parameters: readonly SqlParameter[]
  /** The limit of an outer statement without its own. */
  readonly defaultLimit: number | undefined
}

/**
 * Statements over models that were read before, because many clients send the same text again and again. A model is kept as its place among
 * those that the statement may read: a removed model leaves memory, and what is found has the models of the request.
 */
export class KeptReadings {
  readonly #kept: Lru<Kept>

  constructor(private readonly limits: LruLimits & { readonly maxEntryBytes: number }) {
    this.#kept = new Lru(limits)
  }

  /** The known meaning of the statement, or else the one that `read` finds. It is kept unless `read` asks the time; errors are not. */
  async get(key: StatementKey, now: Date, read: (now: () => Date) => Promise<ReadStatement>): Promise<ReadStatement> {
    const { models } = key.scope
    const name = nameOf(key)
    const known = this.#kept.get(name)
    if (known !== undefined) return inScope(known, models)
    let asksTime = false
    const statement = await read(() => {
      asksTime = true
      return now
    })
    const kept = asksTime ? undefined : keptOf(statement, models)
    if (kept) this.#keep(name, kept)
    return statement
  }

  #keep(name: string, kept: Kept): void {
    const bytes = PER_READING + 2 * name.length + PER_CHARACTER * JSON.stringify(kept).length
    if (bytes <= this.limits.maxEntryBytes) this.#kept.set(name, kept, bytes)
  }
}

const nameOf = ({ language, text, scope: { models, chosen }, parameters, defaultLimit }: StatementKey): string =>
  JSON.stringify([
    language,
    text,
    defaultLimit,
    chosen?.key,
    models.map(({ key }) => key),
    parameters.map(({ value, type }) => [typeof value, String(value), type]),
  ])

/** A query, with the place of its model among those of the statement. */
interface KeptQuery<Q> {
  readonly place: number
  /** Set for a further fact or a view of the model. */
  readonly further: Pick<AskedModel, 'names' | 'fact' | 'parameters' | 'view' | 'columns'> | undefined
  readonly asked: Omit<Q, 'model'>
}

type Kept =
  | { readonly kind: 'model_query'; readonly modelQuery: KeptQuery<ModelQuery>; readonly items: readonly ShownColumn[] }
  | {
      readonly kind: 'outer'
      readonly program: Omit<Program, 'modelQueries'>
      readonly modelQueries: readonly KeptQuery<RelationQuery>[]
    }

function keptOf(statement: ReadStatement, models: readonly AskedModel[]): Kept | undefined {
  if (statement.kind === 'model_query') {
    const { kind, modelQuery, items } = statement
    return { kind, modelQuery: withoutModel(modelQuery, models), items }
  }
  if (statement.kind !== 'outer') return undefined
  const { modelQueries, ...program } = statement.program
  return { kind: 'outer', program, modelQueries: modelQueries.map((query) => withoutModel(query, models)) }
}

function inScope(kept: Kept, models: readonly AskedModel[]): StatementOfModels {
  if (kept.kind === 'model_query') {
    const { kind, modelQuery, items } = kept
    return { kind, modelQuery: withModel(modelQuery, models), items }
  }
  const modelQueries = kept.modelQueries.map((query) => withModel(query, models))
  return { kind: 'outer', program: { modelQueries, ...kept.program } }
}

/** The query never changes, so that its compilation is found again by it. */
function withoutModel<Q extends ModelQuery<AskedModel>>({ model, ...asked }: Q, models: readonly AskedModel[]): KeptQuery<Q> {
  const { names, fact, parameters, view, columns } = model
  immutable(asked.query)
  const place = models.findIndex(({ handle }) => handle === model.handle)
  const further =
    fact === undefined && parameters === undefined && view === undefined && columns === undefined
      ? undefined
      : {
          names,
          ...(fact !== undefined && { fact }),
          ...(parameters && { parameters }),
          ...(columns && { columns }),
          ...(view !== undefined && { view }),
        }
  return { place, further, asked }
}

function withModel<Q>({ place, further, asked }: KeptQuery<Q>, models: readonly AskedModel[]) {
  const model = itemAt(models, place)
  return { model: further ? { ...model, ...further } : model, ...asked }
}

/** Measured: the memory of a reading, and of a character of its JSON, with what is remembered for its queries. */
const [PER_READING, PER_CHARACTER] = [1500, 7]
