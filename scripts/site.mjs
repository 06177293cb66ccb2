// node scripts/site.mjs FOLDER: the documentation as a static site. Each page is HTML with its Markdown beside it; search runs in the browser over one
// file; llms.txt lists the pages for programs. Pages about how Grainline is built are apart. In `try/`, the server itself runs in the browser.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeTab } from '../examples/in-the-browser/build.mjs'
import { sitePages } from './site/pages.mjs'
import { rendered } from './site/render.mjs'
import { runnableIn } from './site/runnable.mjs'
import { shell } from './site/shell.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const OWN = path.join(root, 'scripts/site')

/** Writes the site, and returns its pages. */
export async function writeSite(folder) {
  const runnable = await runnableIn(root)
  const { repository } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  const source = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main`
  const pages = (await sitePages(root)).map((page) => ({ ...page, ...rendered(page, source, runnable) }))
  for (const page of pages) {
    await write(path.join(folder, page.address), shell(page, pages))
    await write(path.join(folder, page.twin), page.markdown)
  }
  await cp(path.join(root, 'docs/pictures'), path.join(folder, 'pictures'), { recursive: true })
  await cp(path.join(root, 'docs/reference/schemas'), path.join(folder, 'reference/schemas'), { recursive: true })
  await cp(path.join(root, 'skills'), path.join(folder, 'skills'), { recursive: true })
  for (const file of ['site.css', 'search.js']) await cp(path.join(OWN, file), path.join(folder, file))
  await write(path.join(folder, 'search.json'), JSON.stringify(pages.flatMap(({ sections }) => sections)))
  await write(path.join(folder, 'llms.txt'), listed(pages))
  return pages
}

/** The pages by section, each with its first sentence, as https://llmstxt.org describes it. */
function listed(pages) {
  const sections = [...new Set(pages.map(({ section }) => section))]
  const lines = sections.map((section) => {
    const own = pages.filter((page) => page.section === section)
    return `## ${section}\n\n${own.map(({ title, twin, summary }) => `- [${title}](${twin}): ${summary}`).join('\n')}\n`
  })
  const about =
    'Grainline is a semantic layer server: a model of tables, dimensions and measures; queries by these names; the SQL of twelve engines.'
  return `# Grainline\n\n> ${about}\n\n[A skill for agents](skills/grainline/SKILL.md)\n\n${lines.join('\n')}`
}

async function write(file, text) {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = path.resolve(process.argv[2] ?? 'site')
  const pages = await writeSite(folder)
  await writeTab(path.join(folder, 'try'))
  console.log(`${pages.length} pages`)
}
