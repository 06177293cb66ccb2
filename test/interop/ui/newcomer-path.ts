/** The whole path of a new user, in an empty folder that holds a database: commands, page, dashboard, link and file. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { processOf } from '../../host/process.js'
import type { Browser, Page } from './browser.js'
import { type Answered, ask, keep, type NewQuestion, Person, type Step, saveFile, TEN } from './newcomer.js'
import { TOURED, until } from './on-pages.js'

export interface Walked {
  readonly steps: readonly Step[]
  readonly answers: readonly { readonly question: NewQuestion; readonly answered: Answered }[]
  /** The numbers of the dashboard as its author, the visitor by link, and the visitor by file see it. */
  readonly tiles: { readonly own: readonly string[]; readonly byLink: readonly string[]; readonly byFile: readonly string[] }
  readonly faults: readonly string[]
}

/** The tiles of the dashboard: its titles, and its numbers. */
const TILES = "[...document.querySelectorAll('.tile h2, .tile-numbers strong')].map((each) => each.innerText)"
const LOADED =
  "document.querySelectorAll('.tile').length === 4 && !document.querySelector('.tile [aria-label=Loading]') && document.querySelector('.tile .chart svg') && document.querySelector('.tile-numbers strong')"
/** The questions that become tiles. */
const KEPT = [TEN[0]!, TEN[1]!, TEN[2]!, TEN[9]!]

export async function walk(browser: Browser, folder: string, database: string): Promise<Walked> {
  const person = new Person()
  const env = { PATH: process.env.PATH, HOME: folder, DB_VENDOR: 'duckdb', DUCKDB_DATABASE: database }
  const command = async (line: string) => {
    person.begin(`\`${line}\``)
    person.typed(line)
    const said = await grainline(line.split(' ').slice(2), folder, env)
    person.read()
    person.end()
    return said
  }
  person.begin('`export DB_VENDOR=duckdb DUCKDB_DATABASE=…`')
  person.typed(`export DB_VENDOR=duckdb DUCKDB_DATABASE=${path.basename(database)}`)
  await command('npx grainline init --output films.yaml')
  await command('npx grainline validate films.yaml')
  await command('npx grainline verify films.yaml')

  const line = 'MODEL_FILES=films.yaml QUERY_EXECUTE=true npx grainline serve'
  person.begin(`\`${line}\``)
  person.typed(line)
  const server = serve(folder, { ...env, MODEL_FILES: 'films.yaml', QUERY_EXECUTE: 'true', PORT: '0', LOG_LEVEL: 'error' })
  try {
    const address = await server.address
    person.end()
    const faults: string[] = []
    const page = await visit(browser, faults)
    person.begin('Open the page')
    person.typed('localhost:8000')
    await page.goto(`${address}/ui/`)
    await page.getByRole('textbox', { name: 'Search fields' }).waitFor()
    person.read()
    const answers = []
    for (const question of TEN) {
      answers.push({ question, answered: await ask(page, person, question) })
      if (KEPT.includes(question)) await keep(page, person)
    }
    return { answers, tiles: await share({ browser, page, person, address, faults }), steps: person.steps, faults }
  } finally {
    await server.end()
  }
}

interface Sharing {
  readonly browser: Browser
  readonly page: Page
  readonly person: Person
  readonly address: string
  readonly faults: string[]
}

async function share({ browser, page, person, address, faults }: Sharing): Promise<Walked['tiles']> {
  person.begin('Name the dashboard, and look at it')
  await person.click(page.getByRole('tab', { name: 'Dashboard', exact: true }))
  await person.type(page.getByRole('textbox', { name: 'Title of the dashboard' }), 'Films and payments')
  await until(page, LOADED)
  const own = await page.evaluate<string[]>(TILES)
  person.read()
  person.begin('Copy the link, and open it elsewhere')
  await person.click(page.getByRole('button', { name: 'Copy link to this dashboard' }))
  const other = await visit(browser, faults)
  await other.goto(page.url())
  await until(other, LOADED)
  const byLink = await other.evaluate<string[]>(TILES)
  person.read()
  person.begin('Save the file, and open it elsewhere')
  const { name, text } = await saveFile(page, person, 'Save as a file')
  const third = await visit(browser, faults)
  await third.goto(`${address}/ui/`)
  await third.getByRole('textbox', { name: 'Search fields' }).waitFor()
  await person.click(third.getByRole('button', { name: 'Save and open' }))
  await person.click(third.getByRole('menuitem', { name: 'Open a question or dashboard' }))
  const file = { name, mimeType: 'application/yaml', buffer: Buffer.from(text) }
  await third.locator('nav input[type=file]').first().setInputFiles(file)
  await until(third, LOADED)
  const byFile = await third.evaluate<string[]>(TILES)
  person.read()
  person.end()
  return { own, byLink, byFile }
}

/** Another person: a browser without any memory. The tour is read once by everybody, and is not part of the path. */
async function visit(browser: Browser, faults: string[]): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
  const page = await context.newPage()
  await page.addInitScript(TOURED)
  page.on('pageerror', (error) => faults.push(String(error)))
  return page
}

async function grainline(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const own = processOf(args)
  const child = spawn(own.command, own.args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const hear = (text: string) => {
    said += text
  }
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`grainline ${args.join(' ')} ended with ${code}: ${said}`)
  return said
}

function serve(cwd: string, env: NodeJS.ProcessEnv) {
  const own = processOf(['serve'])
  const child = spawn(own.command, own.args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'close')
  const address = (async () => {
    let said = ''
    for await (const text of child.stderr.setEncoding('utf8')) {
      said += String(text)
      const [, found] = /^READY (http\S+)$/m.exec(said) ?? []
      if (found !== undefined) return found
    }
    throw new Error(`grainline serve ended: ${said}`)
  })()
  const end = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { address, end }
}
