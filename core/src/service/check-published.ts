import { type PreloadDeps, warnOf } from './preload-models.js'

/**
 * Compiles the examples and tests of the models that came from files, and warns of those that do not compile. It is asked for once the server
 * listens, so that no client waits for it. Gives way to other work between them; what it finds of a model that was replaced meanwhile is let go.
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
