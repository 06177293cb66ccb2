import type { Finding } from '../errors.js'
import type { ReloadedModel } from './held-models.js'
import { rootOf } from './load-document.js'
import type { LoadedModel } from './model-library.js'
import { inFile, type PreloadDeps, readModelFile } from './preload-models.js'

/** Reads every model file again, then replaces the models that changed in one turn, so that no request sees half of it. Questions that run keep the model they began with. */
export async function reloadModels(deps: PreloadDeps): Promise<readonly ReloadedModel[]> {
  const read: { readonly session: string; readonly file: string; readonly found: LoadedModel | readonly Finding[] }[] = []
  for (const [session, file] of deps.files) read.push({ session, file, found: await readAgain(file, deps) })
  const reports = read.map(({ session, file, found }): ReloadedModel => {
    if (!('model' in found)) return { session, file, outcome: 'kept', errors: found }
    return { session, file, outcome: replace(session, found, deps) ? 'replaced' : 'unchanged', errors: [] }
  })
  for (const report of reports) say(report, deps)
  return reports
}

async function readAgain(file: string, { readFile, settings }: PreloadDeps): Promise<LoadedModel | readonly Finding[]> {
  const source = await readModelFile(file)
  if (typeof source !== 'string') return [source]
  const loaded = await readFile(file, source, rootOf(file, settings))
  return 'errors' in loaded ? loaded.errors.map((error) => inFile(error, file)) : loaded
}

/** The session and the model's id stay, whatever the document calls itself now: clients hold on to them. */
function replace(session: string, loaded: LoadedModel, { store, library }: PreloadDeps): boolean {
  const { models } = store.access(session)
  const held = models.get(session)
  if (held?.model.contentHash === loaded.model.contentHash) return false
  models.set(session, library.retain(loaded))
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
