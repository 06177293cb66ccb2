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
import { asYaml, type Conversion, convertedLoss, countsOfLosses, exactItem, placesInYaml } from './conversion.js'

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
  readonly listsExact: boolean
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
  const text = 'text' in content ? content.text : await asYaml(content.yaml, source.client)
  const listed: readonly Loss[] = [
    ...(source.imported?.losses ?? []),
    ...losses.map((loss, at) => ({ ...loss, ...placed(places[at]) })),
  ]
  const all = exactOf(written, losses)
  const exact = source.listsExact ? all : []
  const targets = await targetsOf([...listed.map(({ path }) => path), ...exact], content, text, source.client)
  const exactPlaces = await placesOf(exact, source)
  return {
    text,
    counts: { exact: all.length, ...countsOfLosses(listed) },
    losses: listed.map((loss, at) => convertedLoss(loss, targets[at])),
    ...(source.listsExact && {
      exact: exact.map((path, at) => exactItem({ path, ...placed(exactPlaces[at]) }, targets[listed.length + at])),
    }),
    warnings: source.warnings,
  }
}

/** Where the text says the item of each path, or the one around it. */
async function targetsOf(
  paths: readonly (Segments | undefined)[],
  content: Exported['content'],
  text: string,
  client?: string,
): Promise<readonly (Place | undefined)[]> {
  if ('text' in content) {
    const find = nearestIn((content.places ?? []).map(({ path, place }) => [path, place]))
    return paths.map(find)
  }
  const find = nearestIn((content.paths ?? []).map(({ path, at }) => [path, at]))
  return placesInYaml(paths.map(find), text, client)
}

/** What is said of a path, or of the nearest one around it. An item may be in a text several times; the first is taken. */
function nearestIn<T>(said: readonly (readonly [Segments, T])[]): (path: Segments | undefined) => T | undefined {
  const known = new Map(said.toReversed().map(([path, value]) => [JSON.stringify(path), value]))
  return (path = []) => {
    for (let length = path.length; length > 0; length--) {
      const found = known.get(JSON.stringify(path.slice(0, length)))
      if (found !== undefined) return found
    }
    return undefined
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
function exactOf(written: readonly Segments[], losses: readonly Pick<Loss, 'path'>[]): readonly Segments[] {
  const changed = new Set(losses.map(({ path = [] }) => JSON.stringify(path)))
  return written.filter((path) => !changed.has(JSON.stringify(path)))
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
  return paths.map(nearestIn(imported.places.map(({ path, place }) => [path, place])))
}
