/** A model in one format, written in another. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Finding } from '../errors.js'
import { dotted } from '../model/faults.js'
import type { Imported, Loss, LossKind } from '../model/importer.js'
import { hasMoreCharacters } from '../model/parse/characters.js'
import { jsonPieces } from '../model/parse/json-pieces.js'
import type { Place, Segments } from '../model/parse/locate.js'
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
  /** Lists the exact items, too. */
  readonly list_exact?: boolean | undefined
  /** The client, whose budgets apply. `undefined` is the server itself. */
  readonly asker: Asker | undefined
  /** For the server itself: the file that contains a model of this server, which may name others beside it. */
  readonly file?: string | undefined
}

/**
 * An item that the result does not contain as it is written, with its place in the text, its path in the model, and its place in the result: that of the item
 * itself, or of the one that it is missing from.
 */
export interface ConvertedLoss extends Pick<Loss, 'kind' | 'message' | 'hint'> {
  readonly line?: number
  readonly column?: number
  readonly path?: string
  readonly target?: Place
}

/** An item that the result says as the text does. */
export type ExactItem = Pick<ConvertedLoss, 'line' | 'column' | 'path' | 'target'>

/** A model, and the list of what it does not say as the text does. */
export interface Conversion {
  /** The model as YAML; absent if it is written in another format. */
  readonly model_yaml?: string
  /** The model in the format of the exporter. */
  readonly text?: string
  /** How many items there are of each kind; an item without a loss is exact. */
  readonly counts: Readonly<Record<'exact' | LossKind, number>>
  readonly losses: readonly ConvertedLoss[]
  /** If they are asked for. */
  readonly exact?: readonly ExactItem[]
  /** Warnings of the model itself. */
  readonly warnings: readonly Finding[]
}

/** What of a conversion its sender chooses. */
export interface ConversionOptions {
  readonly client?: string | undefined
  readonly listsExact: boolean
}

export async function conversionOf(
  imported: Imported,
  warnings: readonly Finding[],
  { client, listsExact }: ConversionOptions,
): Promise<Conversion> {
  const yaml = await asYaml(imported.document, client)
  // There may be tens of thousands of lines, and others are answered in between.
  await nextTurn()
  const { losses } = imported
  const exact = exactOf(imported)
  const counts = { exact: exact.length, ...countsOfLosses(losses) }
  await nextTurn()
  const listed = listsExact ? exact : []
  const targets = await placesInYaml(
    [...losses, ...listed].map(({ path }) => path),
    yaml,
    client,
  )
  await nextTurn()
  return {
    ...{ model_yaml: yaml, counts, losses: losses.map((loss, at) => convertedLoss(loss, targets[at])) },
    ...(listsExact && { exact: listed.map((item, at) => exactItem(item, targets[losses.length + at])) }),
    warnings,
  }
}

export const exactItem = ({ path, place }: Pick<Loss, 'path' | 'place'>, target: Place | undefined): ExactItem => ({
  ...(place && { line: place.line, column: place.column }),
  ...(path && { path: dotted(path) }),
  ...(target && { target }),
})

/**
 * Where a text of YAML has these values, or else the nearest ones around them. A path that is absent, or that is the whole text, has no place, and neither has
 * any path of a text that is longer than a model may be: no reader takes it apart.
 */
export async function placesInYaml(
  paths: readonly (Segments | undefined)[],
  text: string,
  client?: string,
): Promise<readonly (Place | undefined)[]> {
  const wanted = paths.flatMap((segments) => (segments && segments.length > 0 ? [{ segments, onKey: true }] : []))
  if (wanted.length === 0 || hasMoreCharacters(text)) return []
  const places = ((await workApart({ kind: 'locate', text, wanted }, client)) as readonly Place[]).values()
  return paths.map((path) => (path && path.length > 0 ? places.next().value : undefined))
}

/** Data as a text of YAML, written apart if they are large. */
export const asYaml = async (data: Readonly<Record<string, unknown>>, client?: string): Promise<string> =>
  String(await workApart({ kind: 'write', text: await asJson(data) }, client))

async function asJson(data: Readonly<Record<string, unknown>>): Promise<string> {
  const pieces: string[] = []
  for (const piece of jsonPieces(data)) if (pieces.push(piece) % PIECES_PER_TURN === 0) await nextTurn()
  return pieces.join('')
}

/** A piece is most often an item of a few values. */
const PIECES_PER_TURN = 1000

export const convertedLoss = (
  { kind, message, hint = kind === 'refused' ? BY_HAND : undefined, place, path = [] }: Loss,
  target: Place | undefined,
): ConvertedLoss => ({
  kind,
  message,
  ...(hint !== undefined && { hint }),
  ...(place && { line: place.line, column: place.column }),
  ...(path.length > 0 && { path: dotted(path) }),
  ...(target && { target }),
})

/** What to do about a refused item whose line does not say it. */
const BY_HAND = 'Add it to the result by hand, or change the text.'

/** The items of which nothing is lost. */
function exactOf({ places, losses }: Imported): Imported['places'] {
  const changed = new Set(losses.flatMap(({ place }) => (place ? [keyOf(place)] : [])))
  return places.filter(({ place }) => !changed.has(keyOf(place)))
}

/** A number, which is found faster than a text: there may be tens of thousands. No text has so many columns in a line. */
const keyOf = ({ line, column }: Place): number => line * 2 ** 26 + column

export function countsOfLosses(losses: readonly Pick<Loss, 'kind'>[]): Readonly<Record<LossKind, number>> {
  const count = (kind: LossKind) => losses.filter((loss) => loss.kind === kind).length
  return { rewritten: count('rewritten'), inert: count('inert'), refused: count('refused') }
}
