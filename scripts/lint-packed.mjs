// Checks packed packages as programs see them: publint reads the manifest and the files, arethetypeswrong resolves every entry point.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** Packages are ES modules only, as their `type` says: a `require` of TypeScript's older resolutions does not find them. */
const RESOLUTIONS = ['node16-esm', 'bundler']
const OF_REQUIRE = ['CJSResolvesToESM']

/** Throws with every fault of these tarballs. */
export async function lintPacked(tarballs) {
  const faults = []
  // One after the other: each check of types takes as much memory as a compiler.
  for (const tarball of tarballs) {
    const data = await readFile(tarball)
    const name = path.basename(tarball, '.tgz')
    for (const fault of [...(await manifestFaults(data)), ...(await typeFaults(data))]) faults.push(`${name}: ${fault}`)
  }
  if (faults.length > 0) throw new Error(`These packages are not as programs need them:\n  ${faults.join('\n  ')}`)
}

async function manifestFaults(data) {
  const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
  return [...messages.map((message) => formatMessage(message, pkg, { color: false })), ...unnamed(pkg)]
}

/** Fields that the registry shows, and those that provenance compares. */
function unnamed(pkg) {
  const missing = ['description', 'license', 'homepage', 'repository', 'engines'].filter((key) => pkg[key] === undefined)
  const scripts = Object.keys(pkg.scripts ?? {}).length > 0 ? ['it has scripts'] : []
  return [...missing.map((key) => `the manifest has no ${key}`), ...scripts]
}

async function typeFaults(data) {
  const pkg = createPackageFromTarballData(new Uint8Array(data))
  const files = pkg.listFiles()
  const missing = ['LICENSE', 'README.md'].filter((name) => !files.some((file) => file.endsWith(`/${pkg.packageName}/${name}`)))
  const { problems = [] } = await checkPackage(pkg)
  const real = problems.filter(
    ({ kind, resolutionKind }) =>
      !OF_REQUIRE.includes(kind) && (resolutionKind === undefined || RESOLUTIONS.includes(resolutionKind)),
  )
  return [...missing.map((name) => `${name} is missing`), ...real.map((problem) => JSON.stringify(problem))]
}
