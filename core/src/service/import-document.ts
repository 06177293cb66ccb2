import { type Finding, fail, GrainlineError, warning } from '../errors.js'
import { installCommand } from '../install-command.js'
import { messageOf } from '../invariant.js'
import { dotted } from '../model/faults.js'
import type { ForeignText, Imported, Importer, ImportFault, Loss } from '../model/importer.js'
import type { LoadedModel, LoadRequest } from '../model/load-model.js'
import type { Place } from '../model/parse/locate.js'
import { didYouMean, nearest, shown } from '../nearest.js'
import type { Point } from '../point.js'
import { nothingLeft } from './nothing-left.js'
import { withOtherFormat } from './other-format.js'
import type { TypedByDatabase } from './typed-by-database.js'

/** The importer that a request names. `absent` are the packages of plugins that are not installed. */
export function importerNamed(name: string, importers: Point<Importer>, absent: readonly string[] = []): Importer {
  if (importers.has(name)) return importers.get(name)
  const suggestions = nearest(name, importers.names())
  const names = importers.names().join(', ') || 'none; a plugin adds one at host.importers'
  const install = installCommand(absent, 'importer', name)
  return fail(
    'INVALID_REQUEST',
    `No plugin reads models of the format '${shown(name)}' (there: ${names})${didYouMean(suggestions)}`,
    {
      path: 'format',
      suggestions,
      ...(install !== undefined && { hint: `Its plugin is not installed: ${install}` }),
    },
  )
}

/** Loads a text of another format: `load` gets its document. What was lost is a warning, and every finding has its place in the text. */
export async function loadForeign(
  importer: Importer,
  source: ForeignText,
  { importers, typed }: Around,
  load: Load,
): Promise<LoadedModel> {
  const imported = await readForeign(importer, source, importers)
  if ('errors' in imported) return { ...imported, warnings: [] }
  const loaded = await loadImported(importer, imported, load)
  // An expression may be wrong for the types of the database. Then what reads it is refused when it is asked.
  for (const { document, losses } of loaded.model && typed ? await typed(imported, loaded.model, source.client) : []) {
    const again = await loadImported(importer, { ...imported, document, losses: [...imported.losses, ...losses] }, load)
    if (again.model) return again
  }
  return loaded
}

type Load = (request: Pick<LoadRequest, 'json' | 'places'>) => Promise<LoadedModel>

interface Around {
  readonly importers: Iterable<Importer>
  readonly typed?: TypedByDatabase | undefined
}

/** A text as a model, or the errors of the text, which say if it is of another one of the formats. An access rule in it is an error, except with `dropsSecurity`. */
export async function readForeign(
  importer: Importer,
  source: ForeignText,
  importers: Iterable<Importer>,
  dropsSecurity = false,
): Promise<Imported | { readonly errors: readonly Finding[] }> {
  const imported = await read(importer, source)
  if ('faults' in imported) {
    const errors = imported.faults.map((fault) => errorOf(fault, importer))
    return { errors: await withOtherFormat(errors, source, importers, importer.name) }
  }
  const rules = dropsSecurity ? [] : imported.losses.filter(({ isSecurity }) => isSecurity)
  const faults = rules.length > 0 ? rules.map((rule) => ({ ...rule, hint: DROP_HINT })) : nothingLeft(imported)
  return faults.length > 0 ? { errors: faults.map((fault) => errorOf(fault, importer)) } : imported
}

/** The rules would be lost, and their rows visible to everyone. */
const DROP_HINT =
  'Write the rule as a row policy of the model. To leave such rules out, convert the text with drop_security (grainline convert --drop-security) and load the result.'

/** The imported document, loaded. */
async function loadImported(importer: Importer, { document, places, losses }: Imported, load: Load): Promise<LoadedModel> {
  const loaded = await load({ json: document, places })
  return { ...loaded, places, warnings: [...losses.map((loss) => warningOf(loss, importer)), ...loaded.warnings] }
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

const HINTS: Readonly<Record<Loss['kind'], string>> = {
  rewritten: 'Compare the item with the imported model.',
  inert: 'No number depends on it.',
  refused: 'Add it to the model by hand, or change the text.',
}

const warningOf = ({ kind, message, hint, place, path = [] }: Loss, { name }: Importer): Finding => ({
  ...warning('IMPORT_LOSS', message, {
    path: dotted(path),
    ...{ context: { format: name, kind }, hint: hint ?? HINTS[kind] },
  }),
  ...placed(place),
})

const placed = (place: Place | undefined) => place && { line: place.line, column: place.column }
