/** The part of the catalogue that one connection sees. */
export interface CatalogView {
  /** The database it is connected to, and all that there are. */
  readonly database: string
  readonly databases: readonly string[]
  readonly relations: readonly CatalogRelation[]
}

/** A model as a table: its name, and the columns for its fields. */
export interface CatalogRelation {
  readonly schema: string
  readonly table: string
  readonly shape: RelationShape
}

/** The same shape is made once, for all who see it under any name. */
export interface RelationShape {
  /** Identifies the shape. */
  readonly key: string
  readonly comment: string | undefined
  readonly columns: readonly CatalogColumn[]
}

export interface CatalogColumn {
  readonly name: string
  /** The type as DDL spells it. */
  readonly type: string
  readonly comment: string | undefined
}

/** A query of a connection to the catalogue. */
export interface CatalogQuestion {
  /** Settings of the connection that shape an answer. */
  readonly settings: readonly (readonly [name: string, value: string])[]
  /** Statements that make the connection's temporary tables. */
  readonly temporary: readonly string[]
  /** Messages of the extended protocol, Sync included. */
  readonly messages: Uint8Array
  /** True when the answer depends on the moment. */
  readonly fresh: boolean
}

/** To the thread and back. */
export type CatalogRequest = { readonly id: number; readonly view: CatalogView; readonly question: CatalogQuestion }
export type CatalogReply =
  | { readonly kind: 'ready'; readonly seed: Uint8Array | undefined }
  | { readonly kind: 'answer'; readonly id: number; readonly messages: Uint8Array; readonly memory: number }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  /** The answer was larger than one may be; the database stopped in the middle of it. */
  | { readonly kind: 'large'; readonly id: number }
