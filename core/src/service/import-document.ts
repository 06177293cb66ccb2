import { type Finding, fail, GrainlineError, warning } from '../errors.js'
import { messageOf } from '../invariant.js'
import { dotted } from '../model/faults.js'
import type { ForeignText, Imported, Importer, ImportFault, Loss } from '../model/importer.js'
import type { LoadedModel, LoadRequest } from '../model/load-model.js'
import type { Place } from '../model/parse/locate.js'
import { didYouMean, nearest } from '../nearest.js'
import type { Point } from '../point.js'

/** The importer that a request names. */
export function importerNamed(name: string, importers: Point<Importer>): Importer {
  if (importers.has(name)) return importers.get(name)
  const suggestions = nearest(name, importers.names())
  const names = importers.names().join(', ') || 'none; a plugin adds one at host.importers'
  return fail('INVALID_REQUEST', `No plugin reads models of the format '${name}' (there: ${names})${didYouMean(suggestions)}`, {
    path: 'format',
    suggestions,
  })
}

/** Loads a text of another format: `load` gets its document. What was lost is a warning, and every finding has its place in the text. */
export async function loadForeign(
  importer: Importer,
  source: ForeignText,
  load: (request: Pick<LoadRequest, 'json' | 'places'>) => Promise<LoadedModel>,
): Promise<LoadedModel> {
  const imported = await read(importer, source)
  if ('faults' in imported) return { errors: imported.faults.map((fault) => errorOf(fault, importer)), warnings: [] }
  const loaded = await load({ json: imported.document, places: imported.places })
  return { ...loaded, warnings: [...imported.losses.map((loss) => warningOf(loss, importer)), ...loaded.warnings] }
}

async function read(importer: Importer, source: ForeignText): Promise<Imported | { readonly faults: readonly ImportFault[] }> {
  try {
    return await importer.read(source)
  } catch (cause) {
    return fail('PLUGIN_FAILED', `The importer '${importer.name}' failed: ${messageOf(cause)}`, { cause })
  }
}

const errorOf = ({ message, hint, place }: ImportFault, { name }: Importer): Finding => ({
  ...new GrainlineError('IMPORT_FAILED', message, { context: { format: name }, ...(hint !== undefined && { hint }) }).toFinding(),
  ...placed(place),
})

const warningOf = ({ kind, message, hint, place, path = [] }: Loss, { name }: Importer): Finding => ({
  ...warning('IMPORT_LOSS', message, {
    path: dotted(path),
    context: { format: name, kind },
    ...(hint !== undefined && { hint }),
  }),
  ...placed(place),
})

const placed = (place: Place | undefined) => place && { line: place.line, column: place.column }
