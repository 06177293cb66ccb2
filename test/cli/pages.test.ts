/** What docs/tutorial.md and docs/migration.md show a command to print is what it prints. */
import { cpSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { main } from '@grainline/core/cli'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { readFileText } from '../../plugins/surface-ui/web/src/dashboard/dashboard-file.js'
import { databaseFile } from '../support/database-file.js'
import { ownFolderWithin } from '../support/own-folder.js'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const root = path.resolve(import.meta.dirname, '../..')
const defaultConfig = path.join(root, 'config/demo.yaml')
const CHINOOK = path.join(root, 'test/first-model/chinook')
const page = (name: string) => readFileSync(path.join(root, 'docs', name), 'utf8')

interface Shown {
  readonly command: string
  readonly lines: readonly string[]
}

/** The commands of the blocks of a terminal, each with the lines that the page shows after it. */
const shownIn = (text: string): readonly Shown[] =>
  [...text.matchAll(/```console\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block.split(/^\$ /m).flatMap((part) => {
      const [command = '', ...lines] = part.trimEnd().split('\n')
      return command.startsWith('npx grainline ') ? [{ command: command.replace('npx grainline ', ''), lines }] : []
    }),
  )

/** A line with `…` at its end is the beginning of one; a line of it alone leaves lines out. */
const isLike = (shown: string, line: string): boolean =>
  shown.endsWith('…') ? line.startsWith(shown.slice(0, -1).trimEnd()) : line.trimEnd() === shown.trimEnd()

async function prints(
  t: Test,
  cwd: string,
  { command, lines }: Shown,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { stdout, stderr, written } = streamsThatKeep()
  await main(command.replaceAll(' --config config/demo.yaml', '').split(' '), { stdout, stderr, cwd, env, defaultConfig })
  const printed = (written().out + written().err).split('\n')
  const missing = lines.filter((shown) => shown !== '…' && !printed.some((line) => isLike(shown, line)))
  t.same(missing, [], command)
}

t.test('the tutorial shows what its own model prints', async (t) => {
  const text = page('tutorial.md')
  const own = /```yaml\n(name: my-flights\n.*?)```/s.exec(text)![1]!
  const model = readFileSync(path.join(root, 'examples/flights/model.yaml'), 'utf8')
  const cwd = ownFolderWithin(t, { 'examples/flights/model.yaml': model, 'examples/flights/my-flights.yaml': own })
  const shown = shownIn(text).filter(({ command }) => !command.includes('--server'))
  t.equal(shown.length, 3)
  for (const one of shown) await prints(t, cwd, one)
  const { dashboard } = parse(/```yaml\n(dashboard:\n.*?)```/s.exec(text)![1]!)
  t.same(
    readFileText(JSON.stringify({ dashboard })),
    { kind: 'dashboard', dashboard },
    'the page reads every part of the dashboard',
  )
  for (const { query } of dashboard.tiles) {
    const command = `execute examples/flights/my-flights.yaml --format csv --query ${JSON.stringify(query).replaceAll(' ', '\\u0020')}`
    await prints(t, cwd, { command, lines: [[...(query.select.dimensions ?? []), ...query.select.measures].join(',')] })
  }
  const [, failing = ''] = /```console\n(FAIL .*?)```/s.exec(text)!
  await writeFile(path.join(cwd, 'examples/flights/my-flights.yaml'), own.replaceAll('86326', '90000'))
  await prints(t, cwd, { command: shown.at(-1)!.command, lines: failing.trimEnd().split('\n') })
})

t.test('the page of migrations shows what each format prints over a real database', async (t) => {
  const cwd = ownFolderWithin(t)
  cpSync(path.join(root, 'test/interchange/walk'), cwd, { recursive: true })
  const rows = readFileSync(path.join(CHINOOK, 'database.sql'), 'utf8').replaceAll('FOLDER', CHINOOK)
  const days =
    "CREATE TABLE days AS SELECT day::date AS day FROM range(DATE '2021-01-01', DATE '2026-01-01', INTERVAL 1 DAY) r(day)"
  const env = { DB_VENDOR: 'duckdb', DUCKDB_DATABASE: await databaseFile(path.join(cwd, 'chinook.duckdb'), `${rows};${days}`) }
  const shown = shownIn(page('migration.md')).filter(({ command }) => command.includes('--from'))
  t.equal(shown.length, 14)
  for (const one of shown) await prints(t, cwd, one, env)
})
