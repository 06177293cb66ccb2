import type { Finding } from '../errors.js'
import type { ModelHealth } from '../model/health.js'
import type { ImportedPlace } from '../model/importer.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { Asker } from './asker.js'
import type { ModelSource, Project } from './project.js'

/** A model as a client sends it: exactly one of `model_yaml` and `model_json`. */
export interface ModelRequest {
  readonly model_yaml?: string | null | undefined
  /** An object, or a string of JSON. */
  readonly model_json?: unknown
  /** Inline YAML fragments, merged in order. */
  readonly extends?: readonly string[] | null | undefined
  /** Id of a model in the same session. */
  readonly inherits?: string | null | undefined
  /** The name of the importer that reads the text; a text of YAML or JSON in the format of this server if absent. */
  readonly format?: string | null | undefined
  /** The client: its budgets apply, and `inherits` names a model as this client sees it. `undefined` is the server itself. */
  readonly asker: Asker | undefined
}

/** A model of the operator. */
export interface ModelFile {
  /** The document's text. */
  readonly source: string
  /** The file that it was read from; `inherits` paths are relative to it. */
  readonly file: string
}

/** A model to load at the start, in a protected session of this name. */
export interface PreloadedModel extends ModelFile, ModelSource {
  readonly session: string
  /** Where its lines are, if it was read from several files. */
  readonly fileOf?: Project['fileOf']
}

/** The result of reloading a model file. */
export interface ReloadedModel {
  readonly session: string
  readonly file: string
  readonly outcome: 'replaced' | 'unchanged' | 'kept'
  /** Why the old model was kept. */
  readonly errors: readonly Finding[]
}

/** A session as its client sees it. All times are ISO 8601 in UTC. */
export interface SessionInfo {
  readonly session_id: string
  readonly created_at: string
  readonly last_accessed_at: string
  readonly model_count: number
  readonly metadata: Readonly<Record<string, string>>
  readonly expires_at: string
  readonly max_expires_at: string
}

/** A model in a session. The model itself is shared by every session with the same content. */
export interface ModelHandle {
  readonly sessionId: string
  readonly modelId: string
  readonly model: SemanticModel
  readonly warnings: readonly Finding[]
  readonly health: ModelHealth
  /** The document as it was sent: the text of `model_yaml` or a JSON string, otherwise the object as JSON. */
  readonly source: string
  /** The places in it, if it is of another format. */
  readonly places?: readonly ImportedPlace[] | undefined
}

/** A loaded model. `reused`: the same content was loaded already. */
export interface ModelLoadResult extends ModelHandle {
  readonly modelLoad: 'fresh' | 'reused'
}

/** Whether a document is a valid model; it is not stored. */
export interface ValidateResult {
  readonly valid: boolean
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
}

/** How a request names its model; if all are absent, it means the only one. */
export interface QueryTarget {
  readonly sessionId?: string | undefined
  readonly modelId?: string | undefined
  /** A protected session's name, or the name of a model in one. */
  readonly model?: string | undefined
}
