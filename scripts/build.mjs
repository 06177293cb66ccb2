// Builds the published files: a bundle of each package and its declarations. Development and tests need neither.
import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundlePackages, packageFolders, sourcesOf } from './bundle-packages.mjs'
import { bundleOneFile } from './one-file.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const folders = await packageFolders()
const stage = await mkdtemp(path.join(os.tmpdir(), 'grainline-build-'))
try {
  await bundlePackages(folders)
  await bundleOneFile()
  await declarePackages()
} finally {
  await rm(stage, { recursive: true, force: true })
}
await import('./catalogue-image.mjs')

/**
 * Writes the declarations of every package. One program reads the sources of all of them: a program for each would check again what its package
 * depends on.
 */
async function declarePackages() {
  const config = path.join(stage, 'declarations.json')
  const outDir = path.join(stage, 'declarations')
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: root,
    outDir,
    typeRoots: [path.join(root, 'node_modules/@types')],
  }
  const sources = folders.map((folder) => path.join(folder, 'src'))
  const exclude = sources.flatMap((folder) => [path.join(folder, '**/*.test.ts'), path.join(folder, '**/*.fuzz.ts')])
  const project = { extends: path.join(root, 'tsconfig.json'), compilerOptions, include: sources, exclude }
  await writeFile(config, JSON.stringify(project))
  execFileSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { stdio: 'inherit' })
  for (const folder of folders) {
    if ((await sourcesOf(folder)).length === 0) continue
    await cp(path.join(outDir, path.relative(root, folder), 'src'), path.join(folder, 'dist'), { recursive: true })
    console.log(`built ${path.relative(root, folder)}`)
  }
}
