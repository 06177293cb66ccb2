import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { grouped } from '../grouped.js'
import { codeOf } from '../invariant.js'
import { physicalColumn, readTypes, type TypesDocument, typesFileOf, writtenType } from '../service/types-file.js'
import { type CommandIo, readArguments, UsageError } from './command.js'
import { readInput } from './read-input.js'
import { type StoredColumns, storedColumns } from './stored-columns.js'
import { targetFlags } from './target/target-flags.js'

export const flags = { ...targetFlags, write: { type: 'boolean' }, json: { type: 'boolean' } } as const

/**
 * `types MODEL [--write]`: how the database stores the columns of a model. `--write` writes it into `MODEL.types.json` next to the model,
 * which is read wherever the model file is loaded. Without it, exit code 1 says that the file there is stale.
 */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  const [model, ...more] = positionals
  if (model === undefined || more.length > 0) throw new UsageError('types takes one model file')
  if (model === '-' && values.write) throw new UsageError('--write writes a file next to the model: name the model file')
  const stored = await storedColumns({ file: model, source: await readInput(model, io) }, values, io)
  for (const { message } of stored.errors) io.stderr.write(`${model}: ${message}\n`)
  const types = typesOf(stored)
  if (values.write) return write(typesFileOf(model), stored, io)
  io.stdout.write(values.json ? `${JSON.stringify({ [stored.dialect]: types }, null, 2)}\n` : stored.table)
  const stale = model !== '-' && (await isStale(typesFileOf(model), stored, io))
  return stale || stored.errors.length > 0 ? 1 : 0
}

/** Columns that the database does not have are left out. */
function typesOf({ columns }: StoredColumns): TypesDocument[string] {
  const objects = grouped(columns, ({ data_object }) => data_object)
  return Object.fromEntries([...objects].map(([name, own]) => [name, Object.fromEntries(own.flatMap(entryOfFile))]))
}

const entryOfFile = ({ code, stored, collation }: StoredColumns['columns'][number]) =>
  stored === undefined ? [] : [[code, writtenType({ sqlType: stored, collation })] as const]

/** Other dialects in the file stay. */
async function write(file: string, stored: StoredColumns, io: CommandIo): Promise<number> {
  const document = { ...(await documentOf(file, io)), [stored.dialect]: typesOf(stored) }
  await writeFile(path.resolve(io.cwd, file), `${JSON.stringify(document, null, 2)}\n`)
  const known = stored.columns.filter((column) => column.stored !== undefined).length
  io.stdout.write(`${file}: ${known} ${known === 1 ? 'column' : 'columns'} of ${stored.dialect}\n`)
  return stored.errors.length > 0 ? 1 : 0
}

async function isStale(file: string, stored: StoredColumns, io: CommandIo): Promise<boolean> {
  const written = (await documentOf(file, io))[stored.dialect]
  if (written === undefined) return false
  const changed = stored.columns.filter(({ data_object, code, stored: sqlType, collation }) => {
    const known = written[data_object]?.[code]
    const before = known === undefined ? undefined : physicalColumn(known)
    return before?.sqlType !== sqlType || before?.collation !== collation
  })
  const [first] = changed
  if (first === undefined) return false
  const others = changed.length > 1 ? `, and of ${changed.length - 1} more` : ''
  io.stderr.write(
    `${file} is stale: it differs about the type of '${first.data_object}.${first.column}'${others}; write it again with --write\n`,
  )
  return true
}

/** Empty if there is no file. */
async function documentOf(file: string, io: CommandIo): Promise<TypesDocument> {
  try {
    return readTypes(file, await readFile(path.resolve(io.cwd, file), 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {}
    throw error
  }
}
