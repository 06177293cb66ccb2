import type { Named } from '../point.js'
import type { Place, Segments } from './parse/locate.js'

/** A text in the format of an importer. */
export interface ForeignText {
  readonly text: string
  /** The file that contains it, if it is a file. Other files are not read. */
  readonly file?: string
  /** The client that sent it; absent for the server itself. Long texts of clients are read in a fair order. */
  readonly client?: string
}

/**
 * What an item of the foreign text became:
 * - `rewritten`: the model says the same in another way;
 * - `inert`: the model contains it, and nothing acts on it;
 * - `refused`: the model does not contain it.
 */
export type LossKind = 'rewritten' | 'inert' | 'refused'

/** An item that the model does not contain as it is written. */
export interface Loss {
  readonly kind: LossKind
  /** What it is, and what became of it, as a sentence. */
  readonly message: string
  /** What the author can do. */
  readonly hint?: string
  /** True for an access rule, which hides rows or fields. A text with an access rule is refused, unless its sender drops such rules. */
  readonly isSecurity?: boolean
  /** Its place in the foreign text. */
  readonly place?: Place
  /** Its place in the model, if the model contains it. */
  readonly path?: Segments
}

/** A value of the model, and the place in the foreign text that it comes from. */
export interface ImportedPlace {
  readonly path: Segments
  readonly place: Place
}

/** A foreign text as a model. */
export interface Imported {
  /** A model document; core checks it like one that a person wrote. */
  readonly document: Readonly<Record<string, unknown>>
  /** Errors of the model are reported at these places: at the place of the value itself, or else of the nearest value that contains it. */
  readonly places: readonly ImportedPlace[]
  /** All of them: an item that is neither in the model nor in this list is lost silently, which no importer may do. */
  readonly losses: readonly Loss[]
}

/** Why a text is no model of this format. */
export interface ImportFault {
  readonly message: string
  readonly hint?: string
  readonly place?: Place
}

/** Reads models of another format. It reads the text that it gets, and no other file, address or setting. */
export interface Importer extends Named {
  /** Whether a text is of this format, as far as a quick look can tell. It never throws. */
  readonly detect: (source: ForeignText) => boolean
  /** Which files of a folder are parts of one model, by their paths in it. Without it, a folder is no model of this format. */
  readonly files?: (path: string) => boolean
  /** The model, or the reasons why the text is none. Throws for no text. */
  readonly read: (source: ForeignText) => Promise<Imported | { readonly faults: readonly ImportFault[] }>
}
