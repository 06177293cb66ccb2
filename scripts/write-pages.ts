import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * Writes generated files, by their paths in the repository. With `--check` on the command line nothing is written, and a file that is
 * out of date ends the process with status 1.
 */
export async function writePages(files: Readonly<Record<string, () => string | Promise<string>>>, script: string): Promise<void> {
  const check = process.argv.includes('--check')
  const stale: string[] = []
  for (const [name, render] of Object.entries(files)) {
    const path = join(root, name)
    const text = await render()
    if (check) {
      if ((await readFile(path, 'utf8').catch(() => '')) !== text) stale.push(name)
      continue
    }
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  if (stale.length === 0) return
  console.error(`${stale.join(', ')} is out of date; run ${script}`)
  process.exitCode = 1
}
