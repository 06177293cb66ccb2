import type {
  Answer,
  AnswerColumn,
  Compiled,
  Composables,
  Examples,
  FoundField,
  FoundFields,
  JoinGraph,
  Lineage,
  ModelSchema,
  PublishedModel,
  RowsBehind,
  Validation,
  Values,
} from './answers.js'
import { type ApiRequest, type CallOptions, type ClientOptions, type Connection, connect } from './connection.js'
import type { AnyModel, DimensionName, MeasureName, ModelTypes, Scalar } from './model-types.js'
import type { Exactly, Query } from './query.js'
import type { RowOf } from './row-of.js'

export interface AskOptions extends CallOptions {
  readonly dialect?: string | undefined
  /** For statements of SQL: the values of parameters of models. Queries give them themselves. */
  readonly parameters?: Readonly<Record<string, Scalar | readonly Scalar[]>> | undefined
  /** For statements of SQL: whether rollup tables are read. Queries say it themselves. */
  readonly rollups?: 'allow' | 'never' | 'require' | undefined
  /** Include the meaning of the numbers in the answer. */
  readonly receipt?: boolean | undefined
  /** The codec of a format that has its own: `none`, `gzip`, `brotli` or `zstd` for `parquet`. */
  readonly compression?: string | undefined
  /** Adds a column of display text for each column that has a format. */
  readonly format_values?: boolean | undefined
  /** The locale of display texts (BCP 47). */
  readonly locale?: string | undefined
  /** The IANA time zone of display texts. */
  readonly timezone?: string | undefined
}

/** The formats of a standard server, and the names of those that its plugins add. */
export type RowFormat = 'json' | 'ndjson' | 'csv' | 'tsv' | 'arrow' | 'parquet' | (string & {})

/** A model of a server. Every method rejects with `ApiError` if the server returns an error. */
export interface Client<M extends ModelTypes = AnyModel> {
  /** The complete answer; a row is an object of exactly the selected fields. */
  query<const Q extends Query<M>>(query: Exactly<Q, M>, options?: AskOptions): Promise<Answer<RowOf<M, Q>>>
  /** The rows as they arrive; only the current piece is in memory. Leaving the loop cancels the query. */
  rows<const Q extends Query<M>>(query: Exactly<Q, M>, options?: AskOptions): AsyncGenerator<RowOf<M, Q>>
  /** The answer as bytes: `arrow` is an IPC stream, which for example `tableFromIPC` of apache-arrow reads. */
  bytes<const Q extends Query<M>>(
    query: Exactly<Q, M>,
    format: RowFormat,
    options?: AskOptions,
  ): Promise<ReadableStream<Uint8Array>>
  /** The SQL of a query. */
  compile<const Q extends Query<M>>(query: Exactly<Q, M>, options?: AskOptions): Promise<Compiled>
  /** The rows from which the number of a measure in one row of the answer was computed, each with their total. */
  rowsBehind<const Q extends Query<M>>(
    query: Exactly<Q, M>,
    asked: {
      readonly cell: Readonly<Record<string, Scalar>>
      readonly measure: MeasureName<M>
      /** As `Object.Column`, of the object of the rows and of those that it joins. */
      readonly columns?: readonly string[]
      readonly limit?: number
    },
    options?: CallOptions & { readonly dialect?: string | undefined },
  ): Promise<RowsBehind>
  /** The same for a statement of SQL over models. */
  readonly sql: {
    query(statement: string, options?: AskOptions): Promise<Answer<Readonly<Record<string, Scalar>>>>
    rows(statement: string, options?: AskOptions): AsyncGenerator<Readonly<Record<string, Scalar>>>
    bytes(statement: string, format: RowFormat, options?: AskOptions): Promise<ReadableStream<Uint8Array>>
    compile(statement: string, options?: AskOptions): Promise<Compiled>
  }
  schema(options?: CallOptions): Promise<ModelSchema>
  values(
    dimension: DimensionName<M>,
    options?: CallOptions & { readonly search?: string; readonly limit?: number; readonly all?: boolean },
  ): Promise<Values>
  find(text: string, options?: CallOptions & { readonly types?: readonly FoundField['kind'][] }): Promise<FoundFields>
  explain(name: DimensionName<M> | MeasureName<M>, options?: CallOptions): Promise<Lineage>
  composables(query: Partial<Query<M>>, options?: CallOptions): Promise<Composables>
  joinGraph(options?: CallOptions): Promise<JoinGraph>
  /** The text of a Mermaid diagram. */
  diagram(options?: CallOptions & { readonly columns?: boolean; readonly theme?: string }): Promise<string>
  examples(options?: CallOptions): Promise<Examples>
  /** The errors in the text of a model; nothing is loaded. */
  validate(model: string, options?: CallOptions): Promise<Validation>
  models(options?: CallOptions): Promise<readonly PublishedModel[]>
  /** The same server with another model. */
  of<O extends ModelTypes = AnyModel>(target: Target): Client<O>
  /** Any request to the server; resolves to a successful response. */
  send(request: ApiRequest, options?: CallOptions): Promise<Response>
}

export function createClient<M extends ModelTypes = AnyModel>(options: ClientOptions & Target): Client<M> {
  const { model, session_id, model_id } = options
  return clientOf<M>(connect(options), { model, session_id, model_id })
}

function clientOf<M extends ModelTypes>(send: Connection, target: Target): Client<M> {
  const named = Object.fromEntries(Object.entries(target).filter(([, value]) => value !== undefined))
  const json = async <T>(request: ApiRequest, options?: CallOptions): Promise<T> => bodyOf<T>(await send(request, options))
  const get = <T>(path: string, url: ApiRequest['url'], options?: CallOptions) =>
    json<T>({ method: 'GET', path: `/v1${path}`, url: { ...named, ...url } }, options)
  const post = <T>(path: string, body: object, options?: CallOptions) =>
    json<T>({ method: 'POST', path: `/v1${path}`, body: { ...named, ...body } }, options)
  const questions = asking('/v1/query/execute', '/v1/query/sql', send, named)
  const statements = asking('/v1/query/semantic-ql', '/v1/query/semantic-ql/compile', send, named)
  return {
    query: (query, options) => questions.query({ query }, options),
    rows: (query, options) => questions.rows({ query }, options),
    bytes: (query, format, options) => questions.bytes({ query }, format, options),
    compile: (query, options) => questions.compile({ query }, options),
    rowsBehind: async (query, asked, { dialect, ...options } = {}) => {
      const behind = await post<RowsBehind>('/query/rows', { query, ...asked, ...(dialect && { dialect }) }, options)
      const named = (fact: RowsBehind['facts'][number]) =>
        fact.rows.map((row) => asObject(row as unknown as readonly Scalar[], fact.columns))
      return { ...behind, facts: behind.facts.map((fact) => ({ ...fact, rows: named(fact) })) }
    },
    sql: {
      query: (sql, options) => statements.query({ sql }, options),
      rows: (sql, options) => statements.rows({ sql }, options),
      bytes: (sql, format, options) => statements.bytes({ sql }, format, options),
      compile: (sql, options) => statements.compile({ sql }, options),
    },
    schema: (options) => get('/schema', {}, options),
    values: (dimension, { search, limit, all, ...options } = {}) =>
      get(`/values/${encodeURIComponent(dimension)}`, { search, limit, all }, options),
    find: (text, { types, ...options } = {}) => post('/find', { query: text, ...(types && { types }) }, options),
    explain: (name, options) => get(`/explain/${encodeURIComponent(name)}`, {}, options),
    composables: (query, options) => post('/composables', { query }, options),
    joinGraph: (options) => get('/join-graph', {}, options),
    diagram: async ({ columns, theme, ...options } = {}) =>
      (await get<{ readonly mermaid: string }>('/diagram/er', { show_columns: columns, theme }, options)).mermaid,
    examples: (options) => get('/examples', {}, options),
    validate: (text, options) => json({ method: 'POST', path: '/v1/validate', body: { model_yaml: text } }, options),
    models: async (options) =>
      (await json<{ readonly models: readonly PublishedModel[] }>({ method: 'GET', path: '/v1/models' }, options)).models,
    of: (other) => clientOf(send, other),
    send,
  }
}

/** The API follows its OpenAPI document, from which the types of the client are derived. */
const bodyOf = async <T>(response: Response): Promise<T> => (await response.json()) as T

type Arrays = Answer<readonly Scalar[]>

/** The common parts of queries and statements: the paths that answer and compile them. */
function asking(execute: string, compile: string, send: Connection, target: object) {
  const ask = ({ path, body, format, options = {} }: Asked) => {
    const { signal, dialect, parameters, rollups, receipt, compression, format_values, locale, timezone } = options
    const url = { format, receipt, compression, format_values, locale, timezone }
    return send(
      {
        method: 'POST',
        path,
        url,
        body: {
          ...{ ...target, ...body },
          ...(dialect && { dialect }),
          ...(parameters && { model_parameters: parameters }),
          ...(rollups && { rollups }),
        },
        accept: '*/*',
      },
      { signal },
    )
  }
  const bytes = async (body: object, format: RowFormat, options?: AskOptions) =>
    (await ask({ path: execute, body, format, options })).body ?? new Blob([]).stream()
  return {
    async query<Row>(body: object, options?: AskOptions): Promise<Answer<Row>> {
      const answer = await bodyOf<Arrays>(await ask({ path: execute, body, format: 'json', options }))
      return { ...answer, rows: answer.rows.map((row) => asObject(row, answer.columns) as Row) }
    },
    async *rows<Row>(body: object, options?: AskOptions): AsyncGenerator<Row> {
      yield* readLines<Row>(await bytes(body, 'ndjson', options))
    },
    bytes,
    async compile(body: object, options: AskOptions = {}): Promise<Compiled> {
      const { signal, dialect, parameters, rollups } = options
      return bodyOf<Compiled>(await ask({ path: compile, body, options: { signal, dialect, parameters, rollups } }))
    },
  }
}

interface Asked {
  readonly path: string
  readonly body: object
  readonly format?: RowFormat
  readonly options?: AskOptions | undefined
}

const asObject = (row: readonly Scalar[], columns: readonly AnswerColumn[]): Readonly<Record<string, Scalar>> =>
  Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]))

/** The model: a published one by name, or one of a session. Without any, the only one of the server. */
export interface Target {
  readonly model?: string | undefined
  readonly session_id?: string | undefined
  readonly model_id?: string | undefined
}

/** The values of a body of NDJSON, as they arrive. Ending early ends the request. */
async function* readLines<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let ended = false
  try {
    while (!ended) {
      const { done, value } = await reader.read()
      ended = done
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
      rest = done ? '' : lines.pop()!
      for (const line of lines) if (line !== '') yield JSON.parse(line)
    }
  } finally {
    if (!ended) await reader.cancel()
    reader.releaseLock()
  }
}
