// Runs on `npm ci` in a checkout: bundles the packages, so that `npm start` need not translate some 700 files. What was bundled since
// its sources changed last is left as it is.
import { runsSources } from '../config/sources.cjs'

if (await import('esbuild').catch(() => undefined)) await bundleUnlessFresh()
else console.log('The packages are not bundled: development packages are not installed.')

async function bundleUnlessFresh() {
  if (!runsSources()) return
  const began = performance.now()
  const { bundlePackages, packageFolders } = await import('./bundle-packages.mjs')
  await bundlePackages(await packageFolders())
  console.log(`The packages are bundled (${((performance.now() - began) / 1000).toFixed(1)} s).`)
}
