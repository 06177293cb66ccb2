// The commands that the distribution adds to those of the core.
const mcp = (isInstalled) => ({
  usage: '[--server URL] [--api-key KEY] [--as NAME|JSON] [--client-cert FILE --client-key FILE] [--ca FILE]',
  does: 'serves agents over MCP, in front of a server that runs (docs/mcp.md lists its variables)',
  flags: ['--server', '--api-key', '--api-key-header', '--client-cert', '--client-key', '--ca', '--as'],
  run: async (args) => {
    if (isInstalled(MCP)) return (await import('@grainline/mcp/process')).runMcp(args)
    console.error(`grainline mcp needs a package that is not installed: npm install ${MCP}`)
    return 1
  },
})

const MCP = '@grainline/mcp'

const evaluation = (isInstalled) => ({
  usage: 'QUESTIONS [--server URL] [--api-key KEY] [--model NAME] [--most-calls N] [--most-tokens N] [--show | --json]',
  does: 'gives questions in plain words to an agent over MCP, and compares its answers with the truth (docs/mcp.md)',
  flags: ['--server', '--api-key', '--model', '--most-calls', '--most-tokens', '--show', '--json'],
  run: async (args) => {
    if (isInstalled(EVAL)) return (await import('@grainline/eval')).runEval(args)
    console.error(`grainline eval needs a package that is not installed: npm install ${EVAL}`)
    return 1
  },
})

const EVAL = '@grainline/eval'

const ui = {
  usage: '[--port 8080]',
  does: 'serves the web page apart, for the server that API_BASE_URL names (docs/web-page.md)',
  flags: ['--port'],
  run: async (args) => (await import('@grainline/surface-ui/process')).runUi(args),
}

const lsp = (defaultConfig) => ({
  usage: '[--config FILE]',
  does: 'serves editors over the Language Server Protocol on stdio (docs/editors.md)',
  flags: ['--config'],
  run: async (args) => (await import('@grainline/language/server')).runLanguageServer({ args, defaultConfig }),
})

/** `isInstalled` says of a package that the distribution does not bring whether it is there. */
export const commands = (defaultConfig, isInstalled) => ({
  mcp: mcp(isInstalled),
  eval: evaluation(isInstalled),
  ui,
  lsp: lsp(defaultConfig),
})
