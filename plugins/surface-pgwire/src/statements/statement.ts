/** The kinds of statements that a client may send. */
import type { Node } from './node.js'

export type Statement =
  /** A query over models or over the catalogue. */
  | SelectStatement
  | { readonly kind: 'begin'; readonly tag: 'BEGIN' | 'START TRANSACTION'; readonly modes: Modes }
  | { readonly kind: 'commit'; readonly chain: boolean }
  | { readonly kind: 'rollback'; readonly chain: boolean }
  | { readonly kind: 'savepoint' | 'release' | 'rollback-to'; readonly name: string }
  | { readonly kind: 'set'; readonly name: string; readonly value: string; readonly local: boolean }
  | { readonly kind: 'set-modes'; readonly modes: Modes; readonly session: boolean }
  | { readonly kind: 'reset'; readonly name: string | undefined; readonly tag: 'RESET' | 'SET' }
  | { readonly kind: 'show'; readonly name: string }
  | { readonly kind: 'prepare'; readonly name: string; readonly types: readonly string[]; readonly statement: SelectStatement }
  | { readonly kind: 'execute'; readonly name: string; readonly values: readonly (string | null)[] }
  | { readonly kind: 'deallocate'; readonly name: string | undefined }
  | DeclareStatement
  | FetchStatement
  | { readonly kind: 'close'; readonly name: string | undefined }
  | CopyStatement
  | { readonly kind: 'discard'; readonly what: 'ALL' | 'PLANS' | 'SEQUENCES' | 'TEMP' }
  /** Creates, fills or drops a temporary table of the connection. */
  | { readonly kind: 'temporary'; readonly text: string; readonly tag: string; readonly table: string }
  /** Has no effect, but clients send it. */
  | { readonly kind: 'nothing'; readonly tag: string }

export interface SelectStatement {
  readonly kind: 'select'
  readonly text: string
  /** The number of characters before it in the text of the client. */
  readonly offset: number
  readonly relations: readonly Relation[]
  readonly tree: Node | undefined
  /** The positions in the tree are positions in `text`. */
  readonly placesItsText?: true
  /** The number of the highest parameter. */
  readonly parameters: number
}

export interface Relation {
  readonly schema: string | undefined
  readonly name: string
}

/** The names and new values of settings, of SET TRANSACTION and similar statements. */
export type Modes = readonly (readonly [name: string, value: string])[]

export interface DeclareStatement {
  readonly kind: 'declare'
  readonly name: string
  readonly hold: boolean
  readonly binary: boolean
  readonly query: SelectStatement
}

export interface FetchStatement {
  readonly kind: 'fetch'
  readonly name: string
  readonly move: boolean
  /** How `count` is meant; a count of `Infinity` means up to the end. */
  readonly direction: 'forward' | 'backward' | 'absolute' | 'relative'
  readonly count: number
}

export interface CopyStatement {
  readonly kind: 'copy'
  readonly query: SelectStatement
  readonly format: 'text' | 'csv' | 'binary'
  readonly delimiter: string
  readonly nullText: string
  readonly header: boolean
  readonly quote: string
  readonly escape: string
  /** `true` for all columns. */
  readonly forceQuote: true | readonly string[]
}
