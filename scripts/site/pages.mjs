import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** Sections of docs/README.md for people who change Grainline. */
const INTERNAL = ['How it is built', 'Extend it']
const OTHERS = 'Look up'

/** The pages of the documentation in the order of docs/README.md, each with its section. */
export async function sitePages(root) {
  const docs = path.join(root, 'docs')
  const sections = sectionsOf(await readFile(path.join(docs, 'README.md'), 'utf8'))
  const files = (await readdir(docs, { recursive: true }))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.replaceAll(path.sep, '/'))
  const order = [...sections.keys()]
  const rank = (file) => (file === 'README.md' ? -1 : order.includes(file) ? order.indexOf(file) : order.length)
  const sorted = files.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
  return Promise.all(
    sorted.map(async (file) => {
      const section = sections.get(file) ?? sectionOfOther(file)
      return {
        file,
        address: file.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html'),
        twin: file.replace(/(^|\/)README\.md$/, '$1index.md'),
        section,
        isInternal: INTERNAL.includes(section),
        text: await readFile(path.join(docs, file), 'utf8'),
      }
    }),
  )
}

function sectionOfOther(file) {
  if (file === 'README.md') return 'Start'
  if (/^decisions\//.test(file)) return 'How it is built'
  return /^(plugins|reference\/api)\//.test(file) ? 'Extend it' : OTHERS
}

/** The section in which each page is linked first. */
function sectionsOf(text) {
  const found = new Map()
  for (const part of text.split(/^## /m).slice(1)) {
    const [section] = part.split('\n')
    for (const [, file] of part.matchAll(/\]\(([\w./-]+\.md)/g))
      if (!found.has(file) && !file.startsWith('..')) found.set(file, section)
  }
  return found
}
