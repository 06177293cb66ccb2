import { type CommandIo, readFlags } from './command.js'
import type { Check } from './doctor/check.js'
import { type ServerAccess, serverAccess, targetFlags } from './target/target-flags.js'

export const flags = { ...targetFlags, json: { type: 'boolean' } } as const

/**
 * `doctor`: checks settings, plugins, certificates and the database of this machine, or a server; each fault has advice. Exit code 1 if
 * there is a fault.
 */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const values = readFlags(args, flags)
  const access = await serverAccess(values, io)
  const checks: Check[] = []
  for await (const check of await checksOf(access, values.config, io)) {
    checks.push(check)
    if (!values.json) io.stdout.write(textOf(check))
  }
  if (values.json) io.stdout.write(`${JSON.stringify(checks, null, 2)}\n`)
  return checks.some(({ status }) => status === 'fault') ? 1 : 0
}

/** Each kind of check is loaded on first use: checking a remote server does not load the server's own modules. */
async function checksOf(
  access: ServerAccess | undefined,
  config: string | undefined,
  io: CommandIo,
): Promise<AsyncIterable<Check>> {
  if (access === undefined) return (await import('./doctor/check-here.js')).checkHere(config, io)
  return (await import('./doctor/check-server.js')).checkServer(access, io.interrupted?.())
}

const MARKS: Readonly<Record<Check['status'], string>> = { ok: 'ok   ', remark: 'note ', fault: 'FAULT' }

const textOf = ({ status, what, says, fix }: Check): string =>
  `${MARKS[status]} ${what}: ${says}\n${fix === undefined ? '' : `      ${fix}\n`}`
