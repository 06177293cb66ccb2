/** The part of the catalogue that one connection sees. */
export interface CatalogView {
  /** The database of the connection. `databases` are all that are listed. */
  readonly database: string
  readonly databases: readonly string[]
  readonly relations: readonly CatalogRelation[]
}

/** A model as a table, with a column for each field. */
export interface CatalogRelation {
  readonly schema: string
  readonly table: string
  readonly shape: RelationShape
}

/** A table without its name. Each shape is created once, and shared by all connections. */
export interface RelationShape {
  /** Identifies the shape. */
  readonly key: string
  readonly comment: string | undefined
  readonly columns: readonly CatalogColumn[]
}

export interface CatalogColumn {
  readonly name: string
  /** The type in DDL. */
  readonly type: string
  readonly comment: string | undefined
}

/** A query to the catalogue. */
export interface CatalogQuestion {
  /** The settings of the connection that change the answer. */
  readonly settings: readonly (readonly [name: string, value: string])[]
  /** The statements that create the connection's temporary tables. */
  readonly temporary: readonly string[]
  /** Messages of the extended protocol, including Sync. */
  readonly messages: Uint8Array
  /** Whether the answer depends on the current time, so that a cached one is wrong. */
  readonly fresh: boolean
}

/** The message to the thread; the reply is a `CatalogReply`. */
export type CatalogRequest = { readonly id: number; readonly view: CatalogView; readonly question: CatalogQuestion }
export type CatalogReply =
  | { readonly kind: 'ready'; readonly seed: Uint8Array | undefined }
  | { readonly kind: 'answer'; readonly id: number; readonly messages: Uint8Array; readonly memory: number }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  /** The answer exceeded the size limit, and the database stopped within the statement. */
  | { readonly kind: 'large'; readonly id: number }
