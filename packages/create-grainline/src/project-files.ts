import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from './database.js'

const templates = fileURLToPath(new URL('../template', import.meta.url))

export interface Project {
  readonly name: string
  readonly database: Database
  readonly isSample: boolean
  /** The version of Grainline. */
  readonly version: string
}

/** The files of a project, by path, without the model of a database. */
export function projectFiles(project: Project): ReadonlyMap<string, string> {
  const { isSample } = project
  return new Map([
    ['package.json', json(manifest(project))],
    ['.env', variables(project, (value) => value)],
    ['.env.example', variables(project, (value) => value.replace(/:[^:@/]*@/, ':PASSWORD@'))],
    ['.github/workflows/model.yml', workflow(project)],
    ['README.md', readme(project)],
    ...templateFiles('common'),
    ...(isSample ? templateFiles('sample') : []),
  ])
}

/** npm never packs a file with the name `.gitignore`, so it has another one in the template. */
function templateFiles(kind: string): [string, string][] {
  const folder = path.join(templates, kind)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map((entry) => {
    const file = path.join(entry.parentPath ?? entry.path, entry.name)
    return [path.relative(folder, file).replace(/^dot-/, '.').replaceAll(path.sep, '/'), readFileSync(file, 'utf8')]
  })
}

function manifest({ name, database, isSample, version }: Project): object {
  const own = ['grainline', '@grainline/mcp', ...database.packages]
  const config = configOf(isSample)
  const steps = [
    `grainline validate model.yaml${config}`,
    `grainline verify model.yaml${config}`,
    `grainline test model.yaml${config}`,
  ]
  return {
    name,
    private: true,
    type: 'module',
    scripts: { start: `grainline serve${config}`, test: steps.join(' && ') },
    dependencies: Object.fromEntries(own.map((each) => dependency(each, version))),
  }
}

const configOf = (isSample: boolean): string => (isSample ? ' --config grainline.yaml' : '')

/** Drivers have other ranges; packages of Grainline have its version. */
function dependency(wanted: string, version: string): [string, string] {
  const at = wanted.indexOf('@', 1)
  return at === -1 ? [wanted, `^${version}`] : [wanted.slice(0, at), wanted.slice(at + 1)]
}

function variables({ database }: Project, shown: (value: string) => string): string {
  const all = { ...database.variables, MODEL_FILES: 'model.yaml', QUERY_EXECUTE: 'true' }
  const lines = Object.entries(all).map(([name, value]) => `${name}=${shown(value)}`)
  return `# Settings of the server: https://github.com/grainline/grainline/blob/main/docs/reference/settings.md\n${lines.join('\n')}\n`
}

/** The address of the database is a secret of the repository. */
function workflow({ database }: Project): string {
  const env = Object.entries(database.variables).map(([name, value]) =>
    name === 'DB_VENDOR' ? `      ${name}: ${value}` : `      ${name}: \${{ secrets.${name} }}`,
  )
  return `# The model is valid, its keys and joins are as it says, and its tests pass.
name: model
on: [push, pull_request]
permissions:
  contents: read
jobs:
  model:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    env:
${env.join('\n')}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npm ci
      - run: npm test
`
}

function readme({ name, isSample, database }: Project): string {
  const what = isSample
    ? 'the sample shop in `data/`'
    : `a ${database.vendor} database; its address is in \`.env\`, which is not committed`
  return `# ${name}

A semantic model of ${what}.

    npm start       # the web page, REST and MCP at http://localhost:8000
    npm test        # the model is valid, its keys and joins are as it says, its tests pass

| File | Contains |
|---|---|
| \`model.yaml\` | the model: tables, joins, dimensions, measures, tests |
| \`.env\` | settings of the server; \`.env.example\` is the part that may be committed |
${isSample ? '| `grainline.yaml` | the plugins, and the files that DuckDB reads |\n' : ''}| \`.mcp.json\` | agents query the model while the server runs |
| \`.github/workflows/model.yml\` | runs \`npm test\` for each change${isSample ? '' : '; it needs a secret with the address of the database'} |
`
}

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`
