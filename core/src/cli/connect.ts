import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type CommandIo, readArguments, UsageError } from './command.js'
import { dbeaverFiles } from './connect/dbeaver.js'
import { excelFiles } from './connect/excel.js'
import { metabase } from './connect/metabase.js'
import { powerBiFiles } from './connect/power-bi.js'
import type { Connection, ToolFile } from './connect/relation.js'
import { readRelations } from './connect/relation.js'
import { supersetFiles } from './connect/superset.js'
import { tableauFiles } from './connect/tableau.js'
import { targetFlags } from './target/target-flags.js'
import { withTarget } from './target/with-target.js'

export const flags = {
  ...targetFlags,
  host: { type: 'string' },
  port: { type: 'string' },
  user: { type: 'string' },
  tls: { type: 'boolean' },
  name: { type: 'string' },
  output: { type: 'string' },
  url: { type: 'string' },
} as const

/** The tools that import files. */
const FILES: Readonly<Record<string, (connection: Connection) => readonly ToolFile[]>> = {
  superset: supersetFiles,
  tableau: tableauFiles,
  'power-bi': powerBiFiles,
  excel: excelFiles,
  dbeaver: dbeaverFiles,
}
const TOOLS = [...Object.keys(FILES), 'metabase']

/** `connect TOOL [MODEL]`: what a BI tool imports to know the measures and dimensions of a model. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  const [tool, ...rest] = positionals
  if (tool === undefined || !TOOLS.includes(tool)) throw new UsageError(`connect takes a tool: ${TOOLS.join(', ')}`)
  if (tool === 'metabase' && values.url === undefined)
    throw new UsageError('connect metabase needs --url, the address of Metabase')
  return withTarget(
    { command: `connect ${tool}`, flags: values, positionals: rest, io },
    async ({ client, target, name, signal }) => {
      const relations = await readRelations({ client, target, name, wanted: values.name ?? values.model, signal })
      const server = values.server ?? io.env['GRAINLINE_SERVER']
      const connection: Connection = {
        host: values.host ?? (server === undefined ? 'localhost' : new URL(server).hostname),
        port: portOf(values.port),
        user: values.user ?? 'grainline',
        tls: values.tls ?? false,
        relations,
      }
      if (tool === 'metabase') {
        const key = io.env['METABASE_API_KEY']
        if (key === undefined) throw new UsageError('connect metabase needs an API key of Metabase in METABASE_API_KEY')
        const password = io.env['GRAINLINE_API_KEY'] ?? ''
        io.stdout.write(await metabase(connection, { url: values.url ?? '', key, password, signal }))
        return 0
      }
      const folder = path.resolve(io.cwd, values.output ?? '.')
      await mkdir(folder, { recursive: true })
      for (const { name: file, content } of FILES[tool]?.(connection) ?? []) {
        await writeFile(path.join(folder, file), content)
        io.stdout.write(`${path.join(values.output ?? '', file)}\n`)
      }
      return 0
    },
  )
}

function portOf(text: string | undefined): number {
  const port = Number(text ?? 5432)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new UsageError('--port is a number from 1 to 65535')
  return port
}
