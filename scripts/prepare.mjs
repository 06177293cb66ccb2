// Runs on `npm ci` in a checkout: bundles the packages, and then all of them into one file, so that `npm start` does not translate about 700 files. A bundle
// that is newer than its sources and uses the installed libraries is kept.
import { differences } from '../config/one-file.cjs'
import { runsSources } from '../config/sources.cjs'

if (await import('esbuild').catch(() => undefined)) {
  await bundleUnlessFresh()
  // Without it, the first query of a tool about the catalogue would wait until a database is initialized.
  await import('./catalogue-image.mjs')
} else console.log('The packages are not bundled: development packages are not installed.')

async function bundleUnlessFresh() {
  const isStale = runsSources()
  if (!isStale && differences()?.length === 0) return
  const began = performance.now()
  if (isStale) await bundlePackagesOnce()
  await (await import('./one-file.mjs')).bundleOneFile()
  console.log(`The packages are bundled (${((performance.now() - began) / 1000).toFixed(1)} s).`)
}

async function bundlePackagesOnce() {
  const { bundlePackages, packageFolders } = await import('./bundle-packages.mjs')
  await bundlePackages(await packageFolders())
}
