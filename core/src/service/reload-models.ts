import type { Finding } from '../errors.js'
import { accessFaults } from './check-access.js'
import type { ReloadedModel } from './held-models.js'
import { rootOf } from './load-document.js'
import type { LoadedModel } from './model-library.js'
import { type PreloadDeps, readModel, staleFor, typesOf } from './preload-models.js'
import { inProject, type ModelSource } from './project.js'
import type { TypesFile } from './types-file.js'

/** Reads every model file again, then replaces the models that changed in one turn, so that no request sees half of it. Questions that run keep the model they began with. */
export async function reloadModels(deps: PreloadDeps): Promise<readonly ReloadedModel[]> {
  const read: { readonly session: string; readonly file: string; readonly found: Reread | readonly Finding[] }[] = []
  for (const [session, source] of deps.files) read.push({ session, file: source.file, found: await readAgain(source, deps) })
  const refused = accessFaultsOf(read, deps)
  const reports = read.map(({ session, file, found }): ReloadedModel => {
    if (!('loaded' in found)) return { session, file, outcome: 'kept', errors: found }
    if (refused.length > 0) return { session, file, outcome: 'kept', errors: refused }
    return { session, file, outcome: replace(session, found, deps) ? 'replaced' : 'unchanged', errors: [] }
  })
  for (const report of reports) say(report, deps)
  return reports
}

interface ReadAgain {
  readonly session: string
  readonly found: Reread | readonly Finding[]
}

/** Why the models as they would be now cannot be published together: then all stay as they are. */
function accessFaultsOf(read: readonly ReadAgain[], deps: PreloadDeps): readonly Finding[] {
  const held = read.map(({ session }) => deps.store.access(session).models.get(session)?.model)
  const next = read.flatMap(({ session, found }, i) => {
    const model = 'loaded' in found ? found.loaded.model : held[i]
    return model ? [{ name: session, model }] : []
  })
  const getsRules = next.some(({ model }) => model.access !== undefined) && held.every((model) => model?.access === undefined)
  return getsRules ? [needsRestart] : accessFaults(next, deps)
}

/** Clients may have loaded models that read the tables around the rules. */
const needsRestart: Finding = {
  code: 'MODELS_ARE_FIXED',
  path: 'access',
  severity: 'error',
  message: 'The first access rules of a server take effect when it starts: start it again',
}

interface Reread {
  readonly loaded: LoadedModel
  readonly types: TypesFile | undefined
}

async function readAgain(source: ModelSource, deps: PreloadDeps): Promise<Reread | readonly Finding[]> {
  const { file } = source
  const project = await readModel(source, deps)
  if (!('text' in project)) return [project]
  const loaded = await deps.readFile(source, project.text, rootOf(file, deps.settings))
  if ('errors' in loaded) return loaded.errors.map((error) => inProject(error, project))
  const types = await typesOf(file)
  if (types && 'code' in types) return [types]
  return { loaded: { ...loaded, warnings: [...loaded.warnings, ...staleFor(loaded, types)] }, types }
}

/** The session and the model's id stay, whatever the document calls itself now: clients hold on to them. */
function replace(session: string, { loaded, types }: Reread, { store, library, physical }: PreloadDeps): boolean {
  const { models } = store.access(session)
  const held = models.get(session)
  if (held?.model.contentHash === loaded.model.contentHash) {
    physical.readFrom(types, held.model)
    return false
  }
  const kept = library.retain(loaded)
  physical.readFrom(types, kept.model)
  models.set(session, kept)
  if (held) library.release(held)
  return true
}

function say({ session, file, outcome, errors }: ReloadedModel, { logger }: PreloadDeps): void {
  const facts = { session, file }
  if (outcome !== 'kept') {
    logger.info(facts, `model ${session} ${outcome === 'replaced' ? 'replaced from its file' : 'already matches its file'}`)
    return
  }
  for (const { code, message, line } of errors) {
    const place = line === undefined ? '' : ` (line ${line})`
    logger.error({ ...facts, code }, `model ${session} stays as it is: ${message}${place}`)
  }
}
