/** The programs on the page of Flight SQL, run unchanged. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { rowsOf } from '../../flight/rows-of.js'
import { startFlight } from '../../flight/server.js'
import { clients, driver, JAVA_OPTIONS, missing, python } from './installed.js'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../../..')
const page = readFileSync(path.join(root, 'docs/flight-sql.md'), 'utf8')
const KEY = 'a_key_of_programs_0123456789abcdef0123456789'
const ASKED = 'SELECT "Airline", "Flight Count" FROM flights WHERE "Origin Code" = \'JFK\''

t.setTimeout(600_000)
const folder = mkdtempSync(path.join(tmpdir(), 'grainline-docs-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const server = await startFlight({ settings: { AUTH_MODE: 'api_key', API_KEYS: [KEY] } })
t.teardown(() => server.close())
const client = await server.connect({ credentials: { user: 'any', password: KEY } })
const expected = (await rowsOf(await client.query(ASKED))).map((row) => row.join(' ')).toSorted()

interface Program {
  /** The language tag of its code block. */
  readonly language: string
  readonly file: string
  readonly needs: string
  readonly cwd?: string
  readonly command: (file: string) => readonly [string, ...string[]]
}

const programs: readonly Program[] = [
  { language: 'python', file: 'example.py', needs: python, command: (file) => [python, file] },
  { language: 'java', file: 'Example.java', needs: driver, command: (file) => ['java', ...JAVA_OPTIONS, '-cp', driver, file] },
  {
    language: 'go',
    file: 'example.go',
    needs: path.join(clients, 'go-client'),
    cwd: path.join(import.meta.dirname, 'go'),
    command: (file) => ['go', 'run', file],
  },
  {
    language: 'js',
    file: 'example.mjs',
    needs: root,
    cwd: root,
    command: (file) => [
      process.execPath,
      ...['--conditions=@grainline/source', '--import', 'tsx', '--input-type=module', '-e', readFileSync(file, 'utf8')],
    ],
  },
]

for (const { language, file, needs, cwd = folder, command } of programs) {
  t.test(`the ${language} program of the docs prints the answer`, { skip: missing(needs) }, async (t) => {
    const [block, ...others] = [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
      ([, text = '']) => text,
    )
    if (block === undefined) throw new Error(`the page has no program in ${language}`)
    t.same(others, [], 'there is one')
    const program = path.join(folder, file)
    writeFileSync(program, ofServer(block))
    const [name, ...args] = command(program)
    const { stdout } = await run(name, args, { cwd, maxBuffer: 1 << 24 })
    t.same(stdout.trim().split('\n').toSorted(), expected)
  })
}

/** Replaces the values of the page, such as port and key, by those of the test. */
function ofServer(program: string): string {
  const own = program.replaceAll('localhost', '127.0.0.1').replaceAll('8815', String(server.port)).replaceAll('API_KEY', KEY)
  if (!own.includes(KEY) || !own.includes(String(server.port))) throw new Error('the program has no key, or no port')
  return own
}
