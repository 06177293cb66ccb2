import { parseArgs } from 'node:util'

/** What the user chose, or left open. */
export interface Arguments {
  readonly folder: string | undefined
  readonly database: string | undefined
  readonly vendor: string | undefined
  readonly isSample: boolean
  readonly installs: boolean
  readonly isHelp: boolean
}

export const USAGE = `npm create grainline@latest [FOLDER] -- [--database ADDRESS] [--vendor NAME] [--sample] [--no-install]

  FOLDER               the folder of the project; it must be new or empty. Default: grainline-project
  --database ADDRESS   postgres://…, mysql://…, mariadb://…, or a file of DuckDB: 'grainline init' proposes a model of its tables
  --vendor NAME        the kind of database, where the address does not say it: clickhouse, trino, dremio, bigquery, snowflake, databricks
  --sample             a small shop, in CSV files, with a model and tests
  --no-install         writes the files and installs nothing
`

/** Throws a `TypeError` for a flag that there is not. */
export function readArguments(args: readonly string[]): Arguments {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      database: text,
      vendor: text,
      sample: flag,
      'no-install': flag,
      help: { ...flag, short: 'h' },
    },
  })
  if (positionals.length > 1) throw new TypeError(`There is one folder, not ${positionals.length}: ${positionals.join(', ')}`)
  if (values.sample && values.database !== undefined) throw new TypeError('--sample and --database exclude each other')
  return {
    folder: positionals[0],
    database: values.database,
    vendor: values.vendor,
    isSample: values.sample ?? false,
    installs: !values['no-install'],
    isHelp: values.help ?? false,
  }
}
