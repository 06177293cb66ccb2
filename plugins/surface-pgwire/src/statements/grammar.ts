/** Loads the parser of PostgreSQL, as a library. */
import type { Node } from './node.js'

export interface Token {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Such as `IDENT` or `C_COMMENT`. Keywords also have a kind. */
  readonly tokenName: string
  readonly keywordName: string
}

/** The functions of the parser that are used here. */
export interface Grammar {
  parseSync(text: string): {
    readonly stmts?: readonly { readonly stmt?: Node; readonly stmt_location?: number; readonly stmt_len?: number }[]
  }
  scanSync(text: string): { readonly tokens: readonly Token[] }
}

let loading: Promise<Grammar> | undefined

/** Loads the parser, which is WebAssembly, on first use. */
export function loadGrammar(): Promise<Grammar> {
  loading ??= import('libpg-query').then(async (module) => {
    // In a CommonJS package, exports that Node did not detect are on `default`.
    const grammar = ('default' in module ? module.default : module) as unknown as Grammar & { loadModule(): Promise<void> }
    await grammar.loadModule()
    return grammar
  })
  return loading
}
