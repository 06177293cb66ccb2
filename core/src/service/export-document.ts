/** A model of this server, written in the format of another product. */
import { type Finding, fail, GrainlineError } from '../errors.js'
import { installCommand } from '../install-command.js'
import { messageOf } from '../invariant.js'
import type { Exported, Exporter, ExportFault } from '../model/exporter.js'
import { dotted } from '../model/faults.js'
import type { Imported, Loss } from '../model/importer.js'
import type { Place, Segments } from '../model/parse/locate.js'
import { workApart } from '../model/parse/parse-worker.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { didYouMean, nearest, shown } from '../nearest.js'
import type { Point } from '../point.js'
import { asYaml, type Conversion, countsOfLosses, lossOfModel, lossOfText } from './conversion.js'

/** The exporter that a request names. `absent` are the packages of plugins that are not installed. */
export function exporterNamed(name: string, exporters: Point<Exporter>, absent: readonly string[] = []): Exporter {
  if (exporters.has(name)) return exporters.get(name)
  const suggestions = nearest(name, exporters.names())
  const names = exporters.names().join(', ') || 'none; a plugin adds one at host.exporters'
  const [format = name] = name.split('-')
  const install = installCommand(absent, 'importer', format)
  return fail(
    'INVALID_REQUEST',
    `No plugin writes models in the format '${shown(name)}' (there: ${names})${didYouMean(suggestions)}`,
    {
      path: 'to',
      suggestions,
      ...(install !== undefined && { hint: `Its plugin is not installed: ${install}` }),
    },
  )
}

/** A model to be written, and the text that it comes from. */
export interface ExportSource {
  readonly model: SemanticModel
  readonly warnings: readonly Finding[]
  readonly text: string
  /** What an importer has read it from; absent for a model of this server. */
  readonly imported?: Imported | undefined
  readonly dropsSecurity: boolean
  readonly client?: string | undefined
}

export async function exportedModel(exporter: Exporter, source: ExportSource): Promise<Conversion | Refusal> {
  const exported = await write(exporter, source.model)
  if ('faults' in exported) return refusal(exported.faults, exporter, source)
  const rules = source.dropsSecurity ? [] : exported.losses.filter(({ isSecurity }) => isSecurity)
  if (rules.length > 0) return refusal(rules.map(asFault), exporter, source)
  const { content, written, losses } = exported
  const places = await placesOf(
    losses.map(({ path }) => path),
    source,
  )
  const before = source.imported?.losses ?? []
  return {
    text: 'text' in content ? content.text : await asYaml(content.yaml, source.client),
    counts: { exact: exactOf(written, losses), ...countsOfLosses([...before, ...losses]) },
    losses: [...before.map(lossOfText), ...losses.map((loss, at) => lossOfModel({ ...loss, ...placed(places[at]) }))],
    warnings: source.warnings,
  }
}

interface Refusal {
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
}

const asFault = ({ message, path }: Exported['losses'][number]): ExportFault => ({ message, path, hint: DROP_HINT })

/** The rules would be lost, and their rows visible to everyone. */
const DROP_HINT =
  'Write the rule where the text will be used. To leave such rules out, send drop_security (grainline convert --drop-security).'

async function refusal(faults: readonly ExportFault[], { name }: Exporter, source: ExportSource): Promise<Refusal> {
  const places = await placesOf(
    faults.map(({ path }) => path),
    source,
  )
  const errors = faults.map(({ message, hint, path }, at) => ({
    ...new GrainlineError('EXPORT_FAILED', message, {
      path: dotted(path),
      context: { format: name },
      ...(hint !== undefined && { hint }),
    }).toFinding(),
    ...places[at],
  }))
  return { errors, warnings: [] }
}

async function write(exporter: Exporter, model: SemanticModel): Promise<Exported | { readonly faults: readonly ExportFault[] }> {
  try {
    return await exporter.write(model)
  } catch (cause) {
    return fail('PLUGIN_FAILED', `The exporter '${exporter.name}' failed: ${messageOf(cause)}`, { cause })
  }
}

/** Items that are written, and of which nothing is lost. */
function exactOf(written: readonly Segments[], losses: readonly Pick<Loss, 'path'>[]): number {
  const changed = new Set(losses.map(({ path = [] }) => JSON.stringify(path)))
  return written.filter((path) => !changed.has(JSON.stringify(path))).length
}

const placed = (place: Place | undefined) => (place ? { place } : {})

/** Where the values of the model are in the text that it comes from. */
async function placesOf(paths: readonly Segments[], source: ExportSource): Promise<readonly (Place | undefined)[]> {
  const { imported, text, client } = source
  if (paths.length === 0) return []
  if (!imported)
    return (await workApart(
      { kind: 'locate', text, wanted: paths.map((segments) => ({ segments, onKey: true })) },
      client,
    )) as readonly Place[]
  const places = new Map(imported.places.map(({ path, place }) => [JSON.stringify(path), place]))
  return paths.map((path) => {
    for (let length = path.length; length > 0; length--) {
      const place = places.get(JSON.stringify(path.slice(0, length)))
      if (place) return place
    }
    return undefined
  })
}
