// Builds the published files: a bundle of each package and its declarations. Development and tests need neither.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundlePackages, manifestOf, packageFolders, sourcesOf } from './bundle-packages.mjs'
import { bundleOneFile } from './one-file.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const folders = await packageFolders()
const stage = await mkdtemp(path.join(os.tmpdir(), 'grainline-build-'))
try {
  await bundlePackages(folders)
  await bundleOneFile()
  for (const folder of await dependenciesFirst(folders)) await declarePackage(folder)
} finally {
  await rm(stage, { recursive: true, force: true })
}
await import('./catalogue-image.mjs')

/** Declarations need those of the packages that a package depends on: the core, and for some dialects another one. */
async function dependenciesFirst(folders) {
  const manifests = new Map(await Promise.all(folders.map(async (folder) => [folder, await manifestOf(folder)])))
  const ordered = new Set()
  const visit = (folder) => {
    if (ordered.has(folder)) return
    const { dependencies, devDependencies } = manifests.get(folder)
    const needed = { ...dependencies, ...devDependencies }
    for (const [other, { name }] of manifests) if (name in needed) visit(other)
    ordered.add(folder)
  }
  for (const folder of folders) visit(folder)
  return ordered
}

async function declarePackage(folder) {
  if ((await sourcesOf(folder)).length === 0) return
  await declare(folder)
  console.log(`built ${path.relative(root, folder)}`)
}

async function declare(folder) {
  const config = path.join(stage, `${path.basename(folder)}.json`)
  await writeFile(
    config,
    JSON.stringify({
      extends: path.join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        customConditions: [],
        rootDir: path.join(folder, 'src'),
        outDir: path.join(folder, 'dist'),
        typeRoots: [path.join(root, 'node_modules/@types')],
      },
      include: [path.join(folder, 'src')],
      exclude: [path.join(folder, 'src/**/*.test.ts'), path.join(folder, 'src/**/*.fuzz.ts')],
    }),
  )
  execFileSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { stdio: 'inherit' })
}
