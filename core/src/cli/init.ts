import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fail } from '../errors.js'
import { readConfig } from '../host/config.js'
import { createHost } from '../host/host.js'
import { modelSchema } from '../model/document.js'
import { lookup, readEnvironment } from '../settings/environment.js'
import { type CommandIo, readFlags, UsageError } from './command.js'
import { modelDraft } from './first-model/draft-model.js'
import type { DraftedModel } from './first-model/drafted-model.js'
import { writeModel } from './first-model/write-model.js'

/** The JSON Schema of models, in a file beside the model: editors use it for completion and validation without a server. */
const SCHEMA = 'grainline.schema.json'

const text = { type: 'string' } as const
export const flags = {
  name: text,
  schema: text,
  output: text,
  config: text,
  views: { type: 'boolean' },
  'no-probe': { type: 'boolean' },
} as const

/** `init [--name NAME] [--schema NAME] [--output FILE] [--views] [--no-probe]`: a first model from the tables of the database that DB_VENDOR names. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const given = readFlags(args, flags)
  const file = given.config === undefined ? io.defaultConfig : path.resolve(io.cwd, given.config)
  if (file === undefined) throw new UsageError('init needs --config FILE')
  const environment = readEnvironment({ env: io.env, dotenv: io.cwd })
  const config = await readConfig(file, (name) => lookup(environment, name))
  const host = await createHost({ ...config, preload: [] }, { environment, ignored: ['MODEL_FILES'] })
  try {
    const name = given.name ?? (given.output === undefined ? undefined : path.parse(given.output).name)
    const first = await modelDraft(host, { ...given, name, probes: !given['no-probe'] })
    if (given.output === undefined) io.stdout.write(writeModel(first, undefined))
    else {
      await writeFiles(path.resolve(io.cwd, given.output), writeModel(first, SCHEMA)).catch(refuse(given.output))
      io.stdout.write(summary(given.output, first))
    }
    return 0
  } finally {
    await host.close()
  }
}

/** Existing files are not overwritten, except the schema, which is generated. */
async function writeFiles(file: string, model: string): Promise<void> {
  await writeFile(file, model, { flag: 'wx' })
  await writeFile(path.join(path.dirname(file), SCHEMA), `${JSON.stringify(jsonSchema, undefined, 2)}\n`)
}

const jsonSchema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...modelSchema }

function summary(file: string, { notes, tables, document: { decisions = [] } }: DraftedModel): string {
  const guesses = notes.filter(({ text }) => text.startsWith('guessed')).length
  const marked = guesses === 0 ? '' : `, ${guesses} ${guesses === 1 ? 'guess' : 'guesses'} marked "guessed": check them`
  const open = decisions.length
  const asked = open === 0 ? '' : `, ${open} open ${open === 1 ? 'question' : 'questions'} about the rows under decisions`
  return `${file}: ${tables} ${tables === 1 ? 'table' : 'tables'}${marked}${asked}\n`
}

const refuse =
  (file: string) =>
  (error: NodeJS.ErrnoException): never =>
    fail('INVALID_CONFIG', error.code === 'EEXIST' ? `'${file}' exists already` : `'${file}' cannot be written: ${error.code}`)
