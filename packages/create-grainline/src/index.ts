/** `npm create grainline`: a project with a model, tests, CI and files for editors and agents. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Database, databaseAt, SAMPLE } from './database.js'
import { type Project, projectFiles } from './project-files.js'
import { type Arguments, readArguments, USAGE } from './read-arguments.js'
import { runCommand } from './run-command.js'
import { withTests } from './with-tests.js'

export interface Io {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: { write(text: string): unknown }
  cwd(): string
}

/** Resolves to the exit code: 0, 1 if a step failed, 2 for a wrong call. */
export async function createProject(args: readonly string[], io: Io): Promise<number> {
  try {
    const given = readArguments(args)
    if (given.isHelp) {
      io.stdout.write(USAGE)
      return 0
    }
    const database = await chosenDatabase(given, io)
    const folder = emptyFolder(path.resolve(io.cwd(), given.folder ?? 'grainline-project'))
    return await create(folder, { ...given, ...projectOf(folder, database) }, io)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    io.stderr.write(`${error.message}\n\n${USAGE}`)
    return 2
  }
}

async function chosenDatabase({ database, vendor, isSample }: Arguments, io: Io): Promise<Database> {
  const address = isSample ? '' : (database ?? (await askedAddress(io)))
  if (address === '') return SAMPLE
  const found = databaseAt(address, vendor, io.cwd())
  if (found === undefined) throw new TypeError(`'${address}' does not say which database it is: add --vendor NAME`)
  return found
}

/** Without a terminal nobody answers, and the sample is created. */
async function askedAddress({ stdin, stdout }: Io): Promise<string> {
  if (!stdin.isTTY) return ''
  const lines = createInterface({ input: stdin, output: stdout })
  try {
    return (await lines.question('Address of your database (postgres://…, mysql://…, a .duckdb file; empty: a sample): ')).trim()
  } finally {
    lines.close()
  }
}

/** Throws unless it is new or contains nothing but what git needs. */
function emptyFolder(folder: string): string {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name !== '.git') : []
  if (files.length > 0) throw new TypeError(`${folder} is not empty: choose another folder`)
  return folder
}

function projectOf(folder: string, database: Database): Project {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  const name =
    path
      .basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'project'
  return { name, database, isSample: database === SAMPLE, version }
}

async function create(folder: string, project: Project & { readonly installs: boolean }, io: Io): Promise<number> {
  for (const [file, text] of projectFiles(project)) write(path.join(folder, file), text)
  const where = path.relative(io.cwd(), folder) || '.'
  if (!project.installs) {
    const next = project.isSample
      ? ['npm install', 'npm start']
      : ['npm install', 'npx grainline init --output model.yaml', 'npm start']
    io.stdout.write(`Created ${where}. Next:\n\n${[`cd ${where}`, ...next].map((line) => `    ${line}\n`).join('')}`)
    return 0
  }
  io.stdout.write(`Created ${where}. Installing packages …\n`)
  const installed = await runCommand('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], folder)
  if (installed.code !== 0) return failed(io, 'npm install failed', installed.text, [`cd ${where}`, 'npm install'])
  if (!project.isSample) {
    const init = await runCommand('npx', ['grainline', 'init', '--output', 'model.yaml', '--name', project.name], folder)
    if (init.code !== 0)
      return failed(io, 'The database gave no model', init.text, [
        `cd ${where}`,
        'npx grainline init --output model.yaml    # after you corrected .env',
      ])
    io.stdout.write(init.text)
    await addTests(folder)
  }
  const tested = await runCommand('npm', ['test', '--silent'], folder)
  if (tested.code !== 0) return failed(io, 'The model fails its checks', tested.text, [`cd ${where}`, 'npm test'])
  io.stdout.write(`The model is valid, and its tests pass. Next:\n\n    cd ${where}\n    npm start\n`)
  return 0
}

/** The model that `init` wrote has examples and no tests. */
async function addTests(folder: string): Promise<void> {
  const { code, text } = await runCommand('npx', ['grainline', 'describe', 'model.yaml', '--json'], folder)
  const file = path.join(folder, 'model.yaml')
  if (code === 0) writeFileSync(file, withTests(readFileSync(file, 'utf8'), JSON.parse(text)))
}

function failed({ stderr }: Io, what: string, text: string, next: readonly string[]): number {
  stderr.write(`${what}:\n${text}\nThe other files are there. Next:\n\n${next.map((line) => `    ${line}\n`).join('')}`)
  return 1
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
