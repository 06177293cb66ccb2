import { encodeJsonRows, jsonColumns } from '../result/index.js'
import type { Execution } from '../service.js'
import { type CommandIo, UsageError } from './command.js'
import { formatFindings } from './findings.js'
import { formatTable } from './table.js'
import { readModelArgs, readQuery, readStatement, withModel } from './with-model.js'

/** `execute FILE --query JSON|@file | --sql TEXT|@file [--dialect NAME] [--config FILE] [--format table|json]`: the answer, from the configured database. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { file, values } = readModelArgs('execute', args, {
    query: { type: 'string' },
    sql: { type: 'string' },
    dialect: { type: 'string' },
    config: { type: 'string' },
    format: { type: 'string', default: 'table' },
  })
  const { format, dialect, config } = values
  if (format !== 'table' && format !== 'json') throw new UsageError(`--format is table or json, not '${format}'`)
  const sql = values.sql === undefined ? undefined : await readStatement(values.sql, io.cwd)
  const query = sql === undefined ? await readQuery('execute', values.query, io.cwd) : undefined
  const target = { sessionId: 'model' }
  await withModel({ file, config, execution: true }, io, async (service, { model }) => {
    const locale = String(service.publicSettings()['DEFAULT_LOCALE'] || (model.settings.defaultLocale ?? 'en-US'))
    const execution =
      sql === undefined ? await service.execute({ target, query, dialect }) : await service.executeSql({ target, sql, dialect })
    for await (const piece of format === 'json' ? json(execution) : formatTable(execution, locale)) {
      if (io.unread?.aborted) return
      io.stdout.write(piece)
    }
    io.stderr.write(formatFindings(execution.outcome().warnings, file))
  })
  return 0
}

type Answer = Pick<Execution, 'schema' | 'batches' | 'outcome'>

async function* json(execution: Answer): AsyncGenerator<string> {
  const { timezone } = execution.outcome()
  yield `{"columns":${JSON.stringify(jsonColumns(execution.schema))},"rows":`
  for await (const piece of encodeJsonRows(execution.batches, { timezone })) yield piece.toString('utf8')
  const { rowCount, truncated } = execution.outcome()
  yield `,"row_count":${rowCount},"truncated":${truncated}}\n`
}
