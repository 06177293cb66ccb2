import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'

const root = new URL('../../', import.meta.url).pathname
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...['docs', 'docs/plugins', 'docs/decisions', 'docs/reference'].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((name) => (name.endsWith('.md') ? [`${folder}/${name}`] : [])),
  ),
]

for (const page of pages) {
  t.test(`${page} links to pages and headings that exist`, (t) => {
    const text = readFileSync(join(root, page), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link)
    t.same(
      links.filter((link) => !leadsSomewhere(page, link)),
      [],
      'no link leads nowhere',
    )
    t.end()
  })
}

t.test('the README says in the row of each wire that it listens on all addresses', (t) => {
  const rows = readFileSync(join(root, 'README.md'), 'utf8').split('\n')
  for (const wire of ['PGWIRE', 'FLIGHT'])
    t.match(
      rows.find((row) => row.startsWith('|') && row.includes(`${wire}_ENABLED=true`)),
      new RegExp(`listens on all addresses.*${wire}_HOST`),
    )
  t.end()
})

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const file = path === '' ? join(root, page) : join(root, dirname(page), path)
  if (!existsSync(file)) return false
  return heading === undefined || headingsOf(readFileSync(file, 'utf8')).includes(heading)
}

/** The anchors of a rendered page: lower case, dashes for spaces, no punctuation. */
function headingsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase())
  return headings.map((heading) => heading.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'))
}
