import { createHost, definePlugin, type Importer } from '@grainline/core'
import type { Test } from 'tap'

/** A host that reads models in other formats; it is closed when the test ends. */
export async function hostOf(t: Test, ...importers: Importer[]) {
  const plugin = definePlugin({
    name: 'importers',
    host: '*',
    setup(host) {
      for (const importer of importers) host.importers.register(importer)
    },
  })
  const host = await createHost({ plugins: [plugin] })
  t.teardown(() => host.close())
  return host
}
