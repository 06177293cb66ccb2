/** A database of a folder of this one, and the first model that `init` writes of it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { main } from '@grainline/core/cli'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const here = import.meta.dirname

interface Created {
  readonly file: string
  readonly text: string
}

let folder: string | undefined
const known = new Map<string, Promise<Created>>()

/** The file of the database, and the text of its first model. Suites of one process share both until it ends. */
export function created(name: string): Promise<Created> {
  if (folder === undefined) {
    const own = mkdtempSync('/tmp/grainline-first-model-')
    process.once('exit', () => rmSync(own, { recursive: true }))
    folder = own
  }
  const made = known.get(name) ?? create(name, folder)
  known.set(name, made)
  return made
}

async function create(name: string, folder: string): Promise<Created> {
  const file = path.join(folder, `${name}.duckdb`)
  const source = path.join(here, name)
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await connection.run(readFileSync(path.join(source, 'database.sql'), 'utf8').replaceAll('FOLDER', source))
  connection.closeSync()
  instance.closeSync()
  const { stdout, stderr, written } = streamsThatKeep()
  const env = { DB_VENDOR: 'duckdb', DUCKDB_DATABASE: file }
  const defaultConfig = path.resolve(here, '../../config/default.yaml')
  const code = await main(['init', '--output', `${name}.yaml`], { stdout, stderr, cwd: folder, env, defaultConfig })
  if (code !== 0) throw new Error(written().err)
  return { file, text: readFileSync(path.join(folder, `${name}.yaml`), 'utf8') }
}
