/** `grainline lsp`: the language service over stdio. */
import { parseArgs } from 'node:util'
import type { LanguageHost } from './language-host.js'

export interface LanguageServerRequest {
  readonly args: string[]
  readonly defaultConfig: string
}

/** Clients of editors pass a flag for stdio, which is the only transport, and sometimes their process id. */
const OPTIONS = { config: { type: 'string' }, stdio: { type: 'boolean' }, clientProcessId: { type: 'string' } } as const

/** Serves one editor until it ends the session. Resolves to the exit code. */
export async function runLanguageServer({ args, defaultConfig }: LanguageServerRequest): Promise<number> {
  const { config = defaultConfig } = parseArgs({ args, options: OPTIONS, strict: true }).values
  const { serveEditor } = await import('./serve-editor.js')
  return serveEditor({ host: () => hostOf(config) })
}

/** The plugins of the config add functions: they are loaded when the first document is opened. */
async function hostOf(config: string): Promise<LanguageHost> {
  const { openLanguageHost } = await import('./language-host.js')
  return openLanguageHost(config)
}
