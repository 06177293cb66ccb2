// Packs the published packages: what `npm pack` takes of each, its license, and its manifest without what only a checkout needs.
import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { manifestOf, packageFolders, SOURCE } from './bundle-packages.mjs'
import { packedFiles, refuseStrayFiles } from './packed-files.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const LICENSE = 'LICENSE'
/** Keys that name sources, tests or the folders of the checkout, or run something where the package is installed. */
const OF_A_CHECKOUT = ['scripts', 'devDependencies', 'workspaces']

/** Writes a tarball of each package into the folder, and returns their paths. Needs `npm run build` first. */
export async function packPackages(to) {
  const folders = [root, ...(await packageFolders())]
  refuseStrayFiles(folders)
  const stage = await mkdtemp(path.join(os.tmpdir(), 'grainline-pack-'))
  try {
    await mkdir(to, { recursive: true })
    const packed = packedFiles(folders)
    const staged = await Promise.all(
      folders.map((folder, i) => stagePackage(folder, packed[i].paths, path.join(stage, String(i)))),
    )
    // In one call: npm itself takes longer to start than to pack.
    npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', to, ...staged])
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
  return (await readdir(to)).filter((name) => name.endsWith('.tgz')).map((file) => path.join(to, file))
}

/** The manifest as it is published. */
export function publishedManifest(manifest) {
  const kept = Object.entries(manifest).filter(([key]) => !OF_A_CHECKOUT.includes(key))
  const { exports } = manifest
  return { ...Object.fromEntries(kept), ...(exports && { exports: withoutSources(exports) }) }
}

const withoutSources = (exports) =>
  Object.fromEntries(
    Object.entries(exports).map(([name, entry]) => {
      if (typeof entry === 'string') return [name, entry]
      const { [SOURCE]: _source, ...built } = entry
      return [name, built]
    }),
  )

async function stagePackage(folder, paths, stage) {
  await mkdir(stage)
  for (const file of paths) await cp(path.join(folder, file), path.join(stage, file), { recursive: true })
  await cp(path.join(root, LICENSE), path.join(stage, LICENSE))
  await writeFile(
    path.join(stage, 'package.json'),
    `${JSON.stringify(publishedManifest(await manifestOf(folder)), undefined, 2)}\n`,
  )
  return stage
}

function npm(args) {
  execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}
