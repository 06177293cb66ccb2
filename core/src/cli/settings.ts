import { type CommandIo, jsonOf, readFlags } from './command.js'
import { textTable } from './output/text-table.js'
import { targetFlags } from './target/target-flags.js'
import { withServer } from './target/with-target.js'

export const flags = { ...targetFlags, json: { type: 'boolean' } } as const

/** `settings`: the public settings of a server, or those of commands on this machine; `plugins` also shows the source of each. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const values = readFlags(args, flags)
  return withServer(values, io, async ({ client, signal }) => {
    const settings = await jsonOf<object>(await client.send({ method: 'GET', path: '/v1/settings' }, { signal }))
    const rows = Object.entries(settings).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    io.stdout.write(
      values.json ? `${JSON.stringify(settings, null, 2)}\n` : textTable([{ name: 'setting' }, { name: 'value' }], rows),
    )
    return 0
  })
}
