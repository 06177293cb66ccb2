import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Generated files, by their paths in the repository. */
export type Pages = Readonly<Record<string, () => string | Promise<string>>>

/** The files that are not as they would be written. */
export async function stalePages(pages: Pages): Promise<readonly string[]> {
  const stale: string[] = []
  for (const [name, render] of Object.entries(pages)) {
    const text = await render()
    if ((await readFile(join(root, name), 'utf8').catch(() => '')) !== text) stale.push(name)
  }
  return stale
}

/**
 * Writes them, if the process runs this script: a test only imports its pages. With `--check` on the command line nothing is written, and a file that is
 * out of date ends the process with status 1.
 */
export async function writePages(pages: Pages, script: string): Promise<void> {
  if (!process.argv[1]?.replaceAll('\\', '/').endsWith(script)) return
  if (!process.argv.includes('--check')) return write(pages)
  const stale = await stalePages(pages)
  if (stale.length === 0) return
  console.error(`${stale.join(', ')} is out of date; run ${script}`)
  process.exitCode = 1
}

async function write(pages: Pages): Promise<void> {
  for (const [name, render] of Object.entries(pages)) {
    const path = join(root, name)
    const text = await render()
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}
