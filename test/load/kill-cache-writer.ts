/**
 * `node --conditions=@grainline/source --import tsx test/load/kill-cache-writer.ts [times]`: kills a process in the middle of its writes,
 * again and again (200 times unless said otherwise), and looks at what it left in the folder.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { fileStore } from '@grainline/cache-file'
import { build } from 'esbuild'
import { isWhole } from './whole-value.js'

export interface Survived {
  readonly kills: number
  readonly read: number
  /** Values that differ from what was written; must be 0. */
  readonly torn: number
}

export async function killWriters(kills: number): Promise<Survived> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'grainline-kill-'))
  let [read, torn] = [0, 0]
  try {
    const program = await bundled(path.join(folder, 'writer.mjs'))
    for (let i = 0; i < kills; i++) {
      const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(child.stdout!, 'data')
      await sleep(Math.random() * 40)
      child.kill('SIGKILL')
      await once(child, 'exit')
      const store = await fileStore({ folder, maxBytes: 1e9 })
      for (let key = 0; key < 20; key++) {
        const value = await store.get(`key ${key}`)
        if (value === undefined) continue
        read += 1
        if (!isWhole(value)) torn += 1
      }
      await store.close()
    }
    return { kills, read, torn }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A single file of JavaScript, because it is started so often. */
async function bundled(outfile: string): Promise<string> {
  const entry = path.join(import.meta.dirname, 'cache-writer.ts')
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', conditions: ['@grainline/source'] })
  return outfile
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(await killWriters(Number(process.argv[2] ?? 200)))
