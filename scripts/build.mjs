// Builds what is published: declarations by tsc, one bundle per package by esbuild. Development and tests need neither.
// core inlines typebox: as some 700 small files it would be the largest part of the start-up.
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const SOURCE = '@grainline/source'
const INLINED = new Map([['@grainline/core', ['typebox']]])

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const folders = await Promise.all(['packages', 'plugins'].map((parent) => foldersIn(parent)))
const stage = await mkdtemp(path.join(os.tmpdir(), 'grainline-build-'))
try {
  for (const folder of await dependenciesFirst(['core', ...folders.flat()])) await buildPackage(path.join(root, folder))
} finally {
  await rm(stage, { recursive: true, force: true })
}
await import('./catalogue-image.mjs')

async function foldersIn(parent) {
  return (await readdir(path.join(root, parent))).toSorted().map((name) => `${parent}/${name}`)
}

/** Declarations are made against those of the packages that a package depends on: the core, and for some dialects another one. */
async function dependenciesFirst(folders) {
  const manifests = new Map(await Promise.all(folders.map(async (folder) => [folder, await manifestOf(path.join(root, folder))])))
  const ordered = new Set()
  const visit = (folder) => {
    if (ordered.has(folder)) return
    const needed = manifests.get(folder).dependencies ?? {}
    for (const [other, { name }] of manifests) if (name in needed) visit(other)
    ordered.add(folder)
  }
  for (const folder of folders) visit(folder)
  return ordered
}

async function manifestOf(folder) {
  return JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
}

async function buildPackage(folder) {
  const manifest = await manifestOf(folder)
  const entryPoints = Object.values(manifest.exports ?? {}).flatMap((entry) => entry[SOURCE] ?? [])
  if (entryPoints.length === 0) return
  await rm(path.join(folder, 'dist'), { recursive: true, force: true })
  await declare(folder)
  const inlined = INLINED.get(manifest.name) ?? []
  await build({
    absWorkingDir: folder,
    entryPoints,
    outdir: 'dist',
    outbase: 'src',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    chunkNames: 'chunk-[hash]',
    logLevel: 'warning',
    external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies })
      .filter((name) => !inlined.includes(name))
      .flatMap((name) => [name, `${name}/*`]),
  })
  console.log(`built ${manifest.name}`)
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
