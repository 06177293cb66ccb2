import type { Named } from '../point.js'
import type { ImportedPlace, Loss } from './importer.js'
import type { Segments } from './parse/locate.js'
import type { SemanticModel } from './semantic-model.js'

/** An item of the model, and where the data of a YAML text say it. */
export interface ExportedPath {
  readonly path: Segments
  readonly at: Segments
}

/** A model in another format. */
export interface Exported {
  /** The text, or the data of a YAML text, and where it says the items of the model. Lines of the list have the place of their item. */
  readonly content:
    | { readonly text: string; readonly places?: readonly ImportedPlace[] }
    | { readonly yaml: Readonly<Record<string, unknown>>; readonly paths?: readonly ExportedPath[] }
  /** The items of the model that the text contains, by their paths in the model. */
  readonly written: readonly Segments[]
  /** All of them, with their paths in the model: an item that is neither written nor in this list is lost silently, which no exporter may do. */
  readonly losses: readonly (Loss & { readonly path: Segments })[]
}

/** Why a model cannot be a text of the format. */
export interface ExportFault {
  readonly message: string
  readonly hint?: string
  /** The place in the model. */
  readonly path: Segments
}

/** Writes models in another format. It reads the model that it gets, and no file, address or setting. */
export interface Exporter extends Named {
  /** The same model in the format, or the reasons why it cannot be. Throws for no model. */
  readonly write: (model: SemanticModel) => Promise<Exported | { readonly faults: readonly ExportFault[] }>
}
