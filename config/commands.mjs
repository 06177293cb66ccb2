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
export const commands = (defaultConfig, isInstalled) => ({ mcp: mcp(isInstalled), ui, lsp: lsp(defaultConfig) })
