// The commands that the distribution adds to those of the core.

/** A command of a package that is installed only if it is used; without it, the command says how to get it. */
const optional = ({ name, package: needed, run, ...command }) => [
  name,
  (isInstalled) => ({
    ...command,
    run: async (args) => {
      if (isInstalled(needed)) return run(args)
      console.error(`grainline ${name} needs a package that is not installed: npm install ${needed}`)
      return 1
    },
  }),
]

const OPTIONAL = [
  optional({
    name: 'mcp',
    package: '@grainline/mcp',
    usage: '[--server URL] [--api-key KEY] [--as NAME|JSON] [--client-cert FILE --client-key FILE] [--ca FILE]',
    does: 'serves agents over MCP, in front of a server that runs (docs/mcp.md lists its variables)',
    flags: ['--server', '--api-key', '--api-key-header', '--client-cert', '--client-key', '--ca', '--as'],
    run: async (args) => (await import('@grainline/mcp/process')).runMcp(args),
  }),
  optional({
    name: 'eval',
    package: '@grainline/eval',
    usage: 'QUESTIONS [--server URL] [--api-key KEY] [--model NAME] [--most-calls N] [--most-tokens N] [--show | --json]',
    does: 'gives questions in plain words to an agent over MCP, and compares its answers with the truth (docs/mcp.md)',
    flags: ['--server', '--api-key', '--model', '--most-calls', '--most-tokens', '--show', '--json'],
    run: async (args) => (await import('@grainline/eval')).runEval(args),
  }),
]

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
  ...Object.fromEntries(OPTIONAL.map(([name, of]) => [name, of(isInstalled)])),
  ui,
  lsp: lsp(defaultConfig),
})
