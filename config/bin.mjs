// The distribution: the core's command line with the stock configuration beside this file. bin.cjs is how it is started.
import { fileURLToPath } from 'node:url'
import { runProcess } from '@grainline/core/cli'

const mcp = {
  usage:
    'mcp                            serves agents over MCP, in front of a server that runs (docs/mcp.md lists its variables)',
  run: async () => (await import('@grainline/mcp/process')).runMcp(),
}

const ui = {
  usage: 'ui [--port 8080]               serves the web page apart, for the server that API_BASE_URL names (docs/web-page.md)',
  run: async (args) => (await import('@grainline/surface-ui/process')).runUi(args),
}

const defaultConfig = fileURLToPath(new URL('./default.yaml', import.meta.url))

const lsp = {
  usage: 'lsp [--config FILE]            serves editors over the Language Server Protocol on stdio (docs/editors.md)',
  run: async (args) => (await import('@grainline/language/server')).runLanguageServer({ args, defaultConfig }),
}

await runProcess(defaultConfig, { mcp, ui, lsp })
