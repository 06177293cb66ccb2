/** PostgreSQL's own grammar, as a library. */
import type { Node } from './node.js'

export interface Token {
  readonly start: number
  readonly end: number
  readonly text: string
  /** `IDENT`, `C_COMMENT`, …; keywords have a kind beside. */
  readonly tokenName: string
  readonly keywordName: string
}

/** The parts of the parser that are used here. */
export interface Grammar {
  parseSync(text: string): {
    readonly stmts?: readonly { readonly stmt?: Node; readonly stmt_location?: number; readonly stmt_len?: number }[]
  }
  scanSync(text: string): { readonly tokens: readonly Token[] }
}

let loading: Promise<Grammar> | undefined

/** Loads the grammar, which is WebAssembly, on first use. */
export function loadGrammar(): Promise<Grammar> {
  loading ??= import('libpg-query').then(async (module) => {
    // A CommonJS package: exports that Node did not detect by name are on `default`.
    const grammar = ('default' in module ? module.default : module) as unknown as Grammar & { loadModule(): Promise<void> }
    await grammar.loadModule()
    return grammar
  })
  return loading
}
