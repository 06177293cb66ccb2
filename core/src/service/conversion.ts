/** A model in one format, written in another. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Finding } from '../errors.js'
import { dotted } from '../model/faults.js'
import type { Imported, Loss, LossKind } from '../model/importer.js'
import type { Place } from '../model/parse/locate.js'
import { workApart } from '../model/parse/parse-worker.js'
import type { Asker } from './asker.js'

/** A text to be converted. */
export interface ConvertRequest {
  readonly model_yaml: string
  /** The name of the importer that reads it. Without it, the text is a model of this server. */
  readonly format?: string | undefined
  /** The name of the exporter that writes it. Without it, the result is a model of this server. */
  readonly to?: string | undefined
  /** Leaves access rules out. Without it, a text with an access rule is refused. */
  readonly drop_security?: boolean | undefined
  /** The client, whose budgets apply. `undefined` is the server itself. */
  readonly asker: Asker | undefined
  /** For the server itself: the file that contains a model of this server, which may name others beside it. */
  readonly file?: string | undefined
}

/** An item that the result does not contain as it is written, with its place in the text, and in the model that is exported. */
export interface ConvertedLoss extends Pick<Loss, 'kind' | 'message' | 'hint'> {
  readonly line?: number
  readonly column?: number
  readonly path?: string
}

/** A model, and the list of what it does not say as the text does. */
export interface Conversion {
  /** The model as YAML; absent if it is written in another format. */
  readonly model_yaml?: string
  /** The model in the format of the exporter. */
  readonly text?: string
  /** How many items there are of each kind; an item without a loss is exact. */
  readonly counts: Readonly<Record<'exact' | LossKind, number>>
  readonly losses: readonly ConvertedLoss[]
  /** Warnings of the model itself. */
  readonly warnings: readonly Finding[]
}

export async function conversionOf(imported: Imported, warnings: readonly Finding[], client?: string): Promise<Conversion> {
  const yaml = await asYaml(imported.document, client)
  // There may be tens of thousands of lines, and others are answered in between.
  await nextTurn()
  const counts = countsOf(imported)
  await nextTurn()
  return { model_yaml: yaml, counts, losses: imported.losses.map(lossOfText), warnings }
}

/** Data as a text of YAML, written apart if they are large. */
export const asYaml = async (data: Readonly<Record<string, unknown>>, client?: string): Promise<string> =>
  String(await workApart({ kind: 'write', text: JSON.stringify(data) }, client))

export const lossOfText = ({ kind, message, hint, place }: Loss): ConvertedLoss => ({
  kind,
  message,
  ...(hint !== undefined && { hint }),
  ...(place && { line: place.line, column: place.column }),
})

export const lossOfModel = (loss: Loss): ConvertedLoss => ({ ...lossOfText(loss), ...(loss.path && { path: dotted(loss.path) }) })

function countsOf({ places, losses }: Imported): Conversion['counts'] {
  const changed = new Set(losses.flatMap(({ place }) => (place ? [keyOf(place)] : [])))
  const exact = places.filter(({ place }) => !changed.has(keyOf(place))).length
  return { exact, ...countsOfLosses(losses) }
}

/** A number, which is found faster than a text: there may be tens of thousands. No text has so many columns in a line. */
const keyOf = ({ line, column }: Place): number => line * 2 ** 26 + column

export function countsOfLosses(losses: readonly Pick<Loss, 'kind'>[]): Readonly<Record<LossKind, number>> {
  const count = (kind: LossKind) => losses.filter((loss) => loss.kind === kind).length
  return { rewritten: count('rewritten'), inert: count('inert'), refused: count('refused') }
}
