import { createHost, definePlugin, type Importer } from '@grainline/core'
import type { Test } from 'tap'

/** A host that reads models in one other format; it is closed when the test ends. */
export async function hostOf(t: Test, importer: Importer) {
  const plugin = definePlugin({ name: 'importers', host: '*', setup: (host) => host.importers.register(importer) })
  const host = await createHost({ plugins: [plugin] })
  t.teardown(() => host.close())
  return host
}
