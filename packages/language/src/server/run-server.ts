/** `grainline lsp`: the language service over stdio. */
import type { LanguageHost } from './language-host.js'

export interface LanguageServerRequest {
  readonly args: readonly string[]
  readonly defaultConfig: string
}

/** Serves one editor until it ends the session. Resolves to the exit code. */
export async function runLanguageServer({ args, defaultConfig }: LanguageServerRequest): Promise<number> {
  const { serveEditor } = await import('./serve-editor.js')
  return serveEditor({ host: () => hostOf(args, defaultConfig) })
}

/** The plugins of the config bring functions of their own: loaded when the first document is opened. */
async function hostOf(args: readonly string[], defaultConfig: string): Promise<LanguageHost> {
  const { openLanguageHost } = await import('./language-host.js')
  return openLanguageHost(configOf(args) ?? defaultConfig)
}

function configOf(args: readonly string[]): string | undefined {
  const at = args.indexOf('--config')
  return at < 0 ? undefined : args[at + 1]
}
