// Checks the import rules of .dependency-cruiser.json. The cruiser cannot read TypeScript 7, so it reads the same modules with
// their types stripped, in a temporary folder. test/architecture.test.ts checks imports of types.
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const folders = ['core', 'packages', 'plugins', 'examples']
const cruiser = path.join(root, 'node_modules/.bin/depcruise')

const stage = await realpath(await mkdtemp(path.join(os.tmpdir(), 'grainline-deps-')))
try {
  await symlink(path.join(root, 'node_modules'), path.join(stage, 'node_modules'))
  for (const folder of folders) await strip(folder)
  const args = [cruiser, '--config', path.join(root, '.dependency-cruiser.json'), ...folders]
  process.exitCode = spawnSync(process.execPath, args, { cwd: stage, stdio: 'inherit' }).status ?? 1
} finally {
  await rm(stage, { recursive: true, force: true })
}

async function strip(folder) {
  await mkdir(path.join(stage, folder), { recursive: true })
  for (const file of await readdir(path.join(root, folder), { recursive: true })) {
    if (!/\.(tsx?|mts|mjs)$/.test(file) || /\.(test|d)\.ts$|(^|\/)(node_modules|dist)\//.test(file)) continue
    const text = await readFile(path.join(root, folder, file), 'utf8')
    // Without verbatimModuleSyntax esbuild would drop imports that seem unused.
    const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } }
    const { code } = await transform(text, { loader: file.endsWith('x') ? 'tsx' : 'ts', format: 'esm', tsconfigRaw })
    const target = path.join(stage, folder, file.replace(/\.m?tsx?$/, '.js'))
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, code)
  }
}
