// Runs thousands of generated queries (docs/how-it-is-tested.md): `node scripts/long-run.mjs [processes]`, with the variables of test/oracle/nightly.ts.
// It is bundled first, because tsx adds code to each function, which slows down millions of small functions by half.
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { flagsForCompiling } from './flags-for-compiling.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const outfile = path.join(root, 'node_modules/.cache/nightly.mjs')
await build({
  entryPoints: [path.join(root, 'test/oracle/nightly.ts')],
  bundle: true,
  platform: 'node',
  format: 'esm',
  conditions: ['@grainline/source'],
  external: ['@duckdb/*', 'libpg-query', 'mysql2', 'mysql2/*', 'node-sqlite3-wasm', 'tap'],
  plugins: [
    {
      // Engines search for their files next to their own.
      name: 'own places',
      setup: ({ onLoad }) =>
        onLoad({ filter: /\/test\/.*\.ts$/ }, async ({ path: file }) => ({
          contents: (await readFile(file, 'utf8')).replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href)),
          loader: 'ts',
        })),
    },
  ],
  banner: { js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url)" },
  outfile,
})

const processes = Number(process.argv[2] ?? 2)
const [from, to] = [Number(process.env.ORACLE_FROM ?? 0), Number(process.env.ORACLE_CASES ?? 500_000)]
const cut = (i) => String(from + Math.round(((to - from) * i) / processes))
for (let i = 0; i < processes; i++) {
  const env = {
    ...process.env,
    ORACLE_LOG: process.env.ORACLE_LOG ?? 'oracle.jsonl',
    ORACLE_FROM: cut(i),
    ORACLE_CASES: cut(i + 1),
  }
  spawn(process.execPath, [...flagsForCompiling(process.execPath), outfile], { stdio: 'inherit', env }).on('exit', (code) => {
    if (code !== 0) process.exitCode = 1
  })
}
