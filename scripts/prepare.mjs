// Runs on `npm ci` in a checkout: bundles the packages, and those into one file, so that `npm start` need not translate some 700 files. What was
// bundled since its sources changed last, from the libraries that are installed, is left as it is.
import { isCurrent } from '../config/one-file.cjs'
import { runsSources } from '../config/sources.cjs'

if (await import('esbuild').catch(() => undefined)) await bundleUnlessFresh()
else console.log('The packages are not bundled: development packages are not installed.')

async function bundleUnlessFresh() {
  const isStale = runsSources()
  if (!isStale && isCurrent()) return
  const began = performance.now()
  if (isStale) await bundlePackagesOnce()
  await (await import('./one-file.mjs')).bundleOneFile()
  console.log(`The packages are bundled (${((performance.now() - began) / 1000).toFixed(1)} s).`)
}

async function bundlePackagesOnce() {
  const { bundlePackages, packageFolders } = await import('./bundle-packages.mjs')
  await bundlePackages(await packageFolders())
}
