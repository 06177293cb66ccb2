/** Models by content: sessions with the same document share one, which is removed when the last of them releases it. */
import type { Finding } from '../errors.js'
import type { ModelHealth } from '../model/health.js'
import type { ImportedPlace } from '../model/importer.js'
import type { SemanticModel } from '../model/semantic-model.js'

export interface LoadedModel {
  /** Hash of the request that it came from: the same request need not be parsed twice. */
  readonly requestHash: string
  readonly model: SemanticModel
  readonly warnings: readonly Finding[]
  readonly health: ModelHealth
  readonly source: string
  /** The places in its text, if it was imported from another format. */
  readonly places?: readonly ImportedPlace[] | undefined
  /** Its estimated memory. */
  readonly bytes: number
}

export class ModelLibrary {
  readonly #byRequest = new Map<string, { readonly loaded: LoadedModel; holders: number }>()
  readonly #byContent = new Map<string, { readonly model: SemanticModel; holders: number }>()

  /** Memory of all loaded models, each content once. */
  get bytes(): number {
    return [...this.#byRequest.values()].reduce((sum, { loaded }) => sum + loaded.bytes, 0)
  }

  holds({ requestHash }: LoadedModel): boolean {
    return this.#byRequest.has(requestHash)
  }

  find(requestHash: string): LoadedModel | undefined {
    return this.#byRequest.get(requestHash)?.loaded
  }

  /** Counts one more user; the result is to be used instead of `loaded` and passed to `release`. */
  retain(loaded: LoadedModel): LoadedModel {
    const known = this.#byRequest.get(loaded.requestHash)
    if (known) {
      known.holders += 1
      return known.loaded
    }
    const shared = { ...loaded, model: this.#shareContent(loaded.model) }
    this.#byRequest.set(loaded.requestHash, { loaded: shared, holders: 1 })
    return shared
  }

  release(loaded: LoadedModel): void {
    const entry = this.#byRequest.get(loaded.requestHash)
    if (!entry || --entry.holders > 0) return
    this.#byRequest.delete(loaded.requestHash)
    const content = this.#byContent.get(loaded.model.contentHash)
    if (content && --content.holders === 0) this.#byContent.delete(loaded.model.contentHash)
  }

  *models(): Generator<SemanticModel> {
    for (const { model } of this.#byContent.values()) yield model
  }

  get size(): number {
    return this.#byContent.size
  }

  #shareContent(model: SemanticModel): SemanticModel {
    const known = this.#byContent.get(model.contentHash)
    if (!known) {
      this.#byContent.set(model.contentHash, { model, holders: 1 })
      return model
    }
    known.holders += 1
    return known.model
  }
}
