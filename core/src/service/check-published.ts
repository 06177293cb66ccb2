import { type PreloadDeps, warnOf } from './preload-models.js'

/**
 * Compiles the examples and tests of the models that came from files, and warns of those that do not compile. It runs once the server listens, so
 * that no client waits for it. It yields to other work between models, and drops findings about a model that was replaced meanwhile.
 */
export async function checkPublished({ files, store, examplesOf, logger }: PreloadDeps, isClosed: () => boolean): Promise<void> {
  for (const [session, file] of files) {
    const loaded = isClosed() ? undefined : store.access(session).models.get(session)
    const found = loaded ? await examplesOf(loaded.model) : []
    if (found.length === 0 || isClosed()) continue
    const { models } = store.access(session)
    if (!loaded || models.get(session) !== loaded) continue
    models.set(session, { ...loaded, warnings: [...loaded.warnings, ...found] })
    warnOf(found, file, logger)
  }
}
