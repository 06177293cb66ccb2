/** A model of another product, written as a model of this server. */
import type { Finding } from '../errors.js'
import type { Imported, Loss, LossKind } from '../model/importer.js'
import { workApart } from '../model/parse/parse-worker.js'
import type { Asker } from './asker.js'

/** A text to be converted. */
export interface ConvertRequest {
  readonly model_yaml: string
  /** The name of the importer that reads it. */
  readonly format: string
  /** Leaves access rules out. Without it, a text with an access rule is refused. */
  readonly drop_security?: boolean | undefined
  /** The client, whose budgets apply. `undefined` is the server itself. */
  readonly asker: Asker | undefined
}

/** An item that the model does not contain as it is written, with its place in the text. */
export interface ConvertedLoss extends Pick<Loss, 'kind' | 'message' | 'hint'> {
  readonly line?: number
  readonly column?: number
}

/** A model, and the list of what it does not say as the text does. */
export interface Conversion {
  /** The model as YAML. */
  readonly model_yaml: string
  /** How many items there are of each kind; an item without a loss is exact. */
  readonly counts: Readonly<Record<'exact' | LossKind, number>>
  readonly losses: readonly ConvertedLoss[]
  /** Warnings of the model itself. */
  readonly warnings: readonly Finding[]
}

export const conversionOf = async (imported: Imported, warnings: readonly Finding[], client?: string): Promise<Conversion> => ({
  model_yaml: String(await workApart({ kind: 'write', text: JSON.stringify(imported.document) }, client)),
  counts: countsOf(imported),
  losses: imported.losses.map(({ kind, message, hint, place }) => ({
    kind,
    message,
    ...(hint !== undefined && { hint }),
    ...(place && { line: place.line, column: place.column }),
  })),
  warnings,
})

function countsOf({ places, losses }: Imported): Conversion['counts'] {
  const count = (kind: LossKind) => losses.filter((loss) => loss.kind === kind).length
  const changed = new Set(losses.flatMap(({ place }) => (place ? [`${place.line}:${place.column}`] : [])))
  const exact = places.filter(({ place }) => !changed.has(`${place.line}:${place.column}`)).length
  return { exact, rewritten: count('rewritten'), inert: count('inert'), refused: count('refused') }
}
