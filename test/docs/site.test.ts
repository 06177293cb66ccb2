/** The generated site: every link and anchor leads somewhere in it, every page has its Markdown, and the search finds what a page is about. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import vm from 'node:vm'
import { GrainlineError } from '@grainline/core'
import { postgres } from '@grainline/dialect-postgres'
import t from 'tap'
import { compileFor } from '../corpus/corpus.js'
import { loadText } from '../support/compile.js'

const root = path.resolve(import.meta.dirname, '../..')
const { writeSite } = (await import(pathToFileURL(path.join(root, 'scripts/site.mjs')).href)) as {
  writeSite(folder: string): Promise<readonly Page[]>
}

interface Page {
  readonly file: string
  readonly title: string
  readonly address: string
  readonly twin: string
  readonly isInternal: boolean
  readonly summary: string
}

// The tab is tested in a browser: test/interop/tab.
const folder = t.testdir({ try: { 'index.html': '' } })
const pages = await writeSite(folder)
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')

t.test('every page has HTML, its Markdown and a line in llms.txt', async (t) => {
  t.ok(pages.length > 100)
  const listed = read('llms.txt')
  for (const { address, twin, title, summary, file } of pages) {
    t.match(read(address), `<title>${title.replaceAll('&', '&amp;')} · Grainline</title>`)
    t.ok(existsSync(path.join(folder, twin)), twin)
    t.ok(listed.includes(`- [${title}](${twin}): ${summary}\n`), file)
  }
})

t.test('every link of a page leads to a page, a heading or a file of the site, and no script comes from elsewhere', async (t) => {
  const anchors = new Map(
    pages.map(({ address }) => [address, new Set([...read(address).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  )
  for (const { address, twin } of pages) {
    const html = read(address)
    const links = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&'))
    const lost = links.filter((link) => !/^https?:/.test(link) && !leads(address, link, anchors))
    t.same(lost, [], address)
    t.notMatch(html, /(?:<script|<link|<img)[^>]*(?:src|href)="https?:/)
    const inMarkdown = [
      ...read(twin)
        .replaceAll(/^```[\s\S]*?^```/gm, '')
        .matchAll(/\]\((?!https?:|#)([^)\s#]+)/g),
    ].map(([, link]) => link!)
    t.same(
      inMarkdown.filter((link) => !existsSync(path.join(folder, path.dirname(twin), link))),
      [],
      twin,
    )
  }
})

function leads(from: string, link: string, anchors: ReadonlyMap<string, ReadonlySet<string | undefined>>): boolean {
  const [target = '', anchor] = link.split('#')
  const to = target === '' ? from : path.posix.normalize(path.posix.join(path.posix.dirname(from), target))
  if (!existsSync(path.join(folder, to))) return false
  if (to === 'try/index.html') return true
  return anchor === undefined || anchors.get(to)?.has(decodeURIComponent(anchor)) === true
}

t.test('each query about the flights of the demo has a link that runs it in the browser', async (t) => {
  const model = loadText(readFileSync(path.join(root, 'examples/flights/model.yaml'), 'utf8'))
  const states = pages.flatMap(({ address }) =>
    [...read(address).matchAll(/try\/index\.html#s=([\w-]+)/g)].map(([, state]) => state!),
  )
  t.ok(states.length > 30, `${states.length} examples`)
  for (const state of new Set(states)) {
    const shared: unknown = JSON.parse(Buffer.from(state, 'base64url').toString())
    t.match(shared, { model: 'flights', query: { select: {} } })
    const { query } = shared as { readonly query: object }
    try {
      t.match(compileFor(postgres, query, model).sql, /^(?:SELECT|WITH)/)
    } catch (error) {
      // Pages about errors show some.
      t.ok(
        error instanceof GrainlineError && !/^UNKNOWN_(?:DIMENSION|MEASURE)$/.test(error.code),
        `${error}: ${JSON.stringify(query)}`,
      )
    }
  }
})

t.test('pages about how Grainline is built are listed apart', async (t) => {
  const internal = pages.filter(({ isInternal }) => isInternal).map(({ file }) => file)
  for (const file of ['architecture.md', 'decisions/joins.md', 'speed-notes.md', 'plugins/vendor.md'])
    t.ok(internal.includes(file), file)
  for (const file of ['README.md', 'getting-started.md', 'deployment.md', 'reference/settings.md'])
    t.notOk(internal.includes(file), file)
  t.notMatch(/<nav.*<\/nav>/s.exec(read('getting-started.html'))![0], 'speed-notes.html')
})

t.test('the search finds the page that is about the words', async (t) => {
  const found = await search('semi-additive balances')
  t.match(found[0], /^balances\.html/)
  t.match((await search('deployment upgrades'))[0], /^deployment\.html/)
  t.same(await search('zzzz'), [])
})

/** search.js over the few parts of a page that it uses; the addresses that it shows. */
async function search(words: string): Promise<string[]> {
  const shown: { href?: string }[] = []
  let listen: () => Promise<void> = async () => undefined
  const element = () => ({
    href: '',
    prepended: undefined as unknown,
    append() {},
    prepend(link: object) {
      this.prepended = link
    },
  })
  const input = {
    value: words,
    addEventListener: (_name: string, run: () => Promise<void>) => {
      listen = run
    },
  }
  const list = {
    hidden: true,
    replaceChildren: (...items: { prepended?: { href: string } }[]) =>
      void shown.push(...items.map(({ prepended }) => prepended ?? {})),
  }
  const document = {
    currentScript: { dataset: { base: '.' } },
    getElementById: (id: string) => (id === 'search' ? input : list),
    createElement: element,
  }
  const fetch = async () => ({ json: async () => JSON.parse(read('search.json')) })
  vm.runInNewContext(read('search.js'), { document, fetch })
  await listen()
  return shown.flatMap(({ href }) => (href === undefined ? [] : [href.replace('./', '')]))
}
