/** The files of a folder and its folders, by their paths in it. */
import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'

/** Sorted. A folder to which several links lead is read once, so that a link to a folder around it ends. */
export async function filesOfFolder(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  await addBelow(folder, '', found, new Set())
  return found.sort()
}

async function addBelow(folder: string, at: string, found: string[], seen: Set<string>): Promise<void> {
  const whole = path.join(folder, at)
  const real = await realpath(whole)
  if (seen.has(real)) return
  seen.add(real)
  const entries = await readdir(whole, { withFileTypes: true })
  // A folder is read where it is, and not where a link leads to it.
  for (const entry of entries.toSorted((a, b) => Number(a.isSymbolicLink()) - Number(b.isSymbolicLink()))) {
    const name = path.join(at, entry.name)
    const isFolder = entry.isSymbolicLink() ? await leadsToFolder(path.join(folder, name)) : entry.isDirectory()
    if (isFolder) await addBelow(folder, name, found, seen)
    else found.push(name)
  }
}

/** False for a link to nothing: whoever reads the file says so. */
const leadsToFolder = async (name: string): Promise<boolean> => {
  try {
    return (await stat(name)).isDirectory()
  } catch {
    return false
  }
}
