/** A database of a folder of this one, and the first model that `init` writes of it. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { main } from '@grainline/core/cli'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const here = import.meta.dirname

/** Creates the database in a file of `folder`, and returns the text of its first model. */
export async function created(name: string, folder: string): Promise<{ readonly file: string; readonly text: string }> {
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
