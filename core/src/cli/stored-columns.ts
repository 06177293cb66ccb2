import type { Finding } from '../errors.js'
import type { TableReport } from '../service/check-tables.js'
import { type CommandIo, jsonOf } from './command.js'
import { textTable } from './output/text-table.js'
import type { ModelText } from './read-input.js'
import type { TargetFlags } from './target/target-flags.js'
import { withText } from './target/with-target.js'

export interface StoredColumns {
  readonly dialect: string
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
  readonly columns: TableReport['columns']
  /** Declared types with the stored ones. */
  readonly table: string
}

/** The tables and columns that a model names, compared with those of its database. */
export function storedColumns(model: ModelText, flags: TargetFlags, io: CommandIo): Promise<StoredColumns> {
  return withText([model], { flags, io }, async ([asked]) => {
    const { client, target, signal } = asked!
    const answer = await client.send({ method: 'POST', path: '/v1/verify/tables', url: { ...target } }, { signal })
    const { dialect, columns, findings } = await jsonOf<TableReport>(answer)
    const of = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity)
    return { dialect, errors: of('error'), warnings: of('warning'), columns, table: tableOf(columns) }
  })
}

function tableOf(columns: TableReport['columns']): string {
  const names = ['data object', 'column', 'code', 'declared', 'stored'].map((name) => ({ name }))
  const rows = columns.map(({ data_object, column, code, declared, stored = 'missing' }) => [
    data_object,
    column,
    code,
    declared,
    stored,
  ])
  return rows.length === 0 ? '' : `${textTable(names, rows)}\n`
}
