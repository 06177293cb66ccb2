// The list of test files, which of them share a process, and where each runs.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const SKIPPED = new Set(['node_modules', 'dist', '.clients', '.shared'])

/** Suites that only compute share a process per group, because starting a process takes longer than most of them. */
export const SHARED = {
  core: /^core\/src\/(?!cli\/).*\.test\.ts$/,
  plugins: /^plugins\/(dialect-|surface-|format-|semantic-ql\/).*\.test\.ts$/,
  compile: /^test\/(compile|discovery)\/.*\.test\.ts$/,
  corpus: /^test\/corpus\/.*\.test\.ts$/,
  rest: /^test\/rest\/(budgets|curated|cut-answers|discovery|docs|errors|failing-hooks|model-sql|models|names|openapi|queries|semantic-ql|sessions|strangers|system-names|text-growth)\.test\.ts$/,
  'semantic-ql': /^test\/semantic-ql\/.*\.test\.ts$/,
  messages: /^test\/(verify|refusals)\/(?!host\.).*\.test\.ts$/,
  answers: /^test\/(docs\/examples|interchange\/.*|first-model\/.*|language\/(diagnostics|service)|odata\/(answers|documents)|parameters\/.*|tpcds\/.*|tpch\/.*|types\/.*)\.test\.ts$/,
  oracle: /^test\/oracle\/(?!(oracle|later|invariants|nested|zones)\.).*\.test\.ts$/,
  house:
    /^test\/(architecture|casts|changed-tests|every-test-runs|function-length|look-alikes|map-of-tests|regular-expressions|(bench|head-to-head|packages)\/.*|docs\/(?!examples\.).*|ui\/operators)\.test\.ts$/,
  parts: /^(core\/src\/cli|packages|plugins\/(cache|evaluator|vendor)-[^/]*|examples)\/.*\.test\.ts$/,
  access: /^test\/access\/.*\.test\.ts$/,
  cache: /^test\/cache\/(?!.*faults\.).*\.test\.ts$/,
  flight: /^test\/flight\/(catalog|fuzz|same-answers|served|shared)\.test\.ts$/,
  host: /^test\/(host\/(auth|config|enforced-keys|first-model|first-model-tables|importers|init|replaced-database|server-logger|service|settings|stock-configs|warm-up)|refusals\/host)\.test\.ts$/,
  pgwire: /^test\/pgwire\/(catalog|fuzz|parameters|same-answers|seats|served|shapes)\.test\.ts$/,
  served: /^test\/rest\/(compression|fuzz|large-model|served|telemetry|unconfigured)\.test\.ts$/,
  features: /^test\/((client|conformance|evaluation|finance|rollups|time|units)\/.*|mcp\/(mounted|revisions))\.test\.ts$/,
  pages: /^test\/(budgets|foreign-meanings|hostile|leak-on-wires|public-models|questions-by-engine|reading-the-sql|reference)\.test\.ts$/,
  processes: /^test\/host\/(npm-start|one-file|reload|request|serve|threads)\.test\.ts$/,
  programs: /^test\/(cli\/.*|host\/(checkout|cli|exporters|refusals)|language\/(lsp|vscode)|mcp\/cancel|odata\/process|specification\/.*|ui\/standalone)\.test\.ts$/,
  sockets: /^test\/(rest\/(batch|contract|door|execution|formats)|host\/(embed|host)|pgwire\/(authentication|protocol|security)|flight\/(access|statements))\.test\.ts$/,
}

/** The file that runs a group of suites in one process; scripts/bundle-tests.mjs writes it. scripts/branches.mjs has its own. */
export const sharedFile = (name) => `${process.env.TEST_SHARED ?? 'test/.shared'}/${name}.test.mjs`

/** Files that depend on Node: sockets, streams, threads, processes, native drivers. */
const OF_NODE = [
  /^test\/\.shared\/(core|parts|processes|sockets)\./,
  /^test\/host\/workers\//,
  /^test\/rest\/(standalone|turns)\./,
  /^test\/pgwire\/(crowds|leaving)\./,
  /^test\/flight\/streams\./,
  /^test\/mcp\/processes\./,
  /^test\/cache\/.*faults\./,
  /^test\/oracle\/zones\./,
]

/**
 * The groups of test files, one process per file: `main` is `npm test`, `node` also runs on the newest Node, and `interop` needs real
 * clients or engines.
 */
export const GROUPS = {
  main: () => together(testFiles().filter((file) => !isInterop(file))),
  node: () => GROUPS.main().filter((file) => OF_NODE.some((pattern) => pattern.test(file))),
  interop: () => testFiles().filter(isInterop),
}

const isInterop = (file) => file.startsWith('test/interop/')

/** Every test file of the repository. */
export function testFiles() {
  return ['core', 'packages', 'plugins', 'examples', 'test'].flatMap((top) => filesBelow(top)).filter((file) => file.endsWith('.test.ts'))
}

export function filesBelow(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`
    if (entry.isFile()) return [file]
    return entry.isDirectory() && !SKIPPED.has(entry.name) ? filesBelow(file) : []
  })
}

function together(files) {
  const groupOf = (file) => Object.keys(SHARED).find((name) => SHARED[name].test(file))
  return [...new Set(files.map((file) => (groupOf(file) === undefined ? file : sharedFile(groupOf(file)))))]
}
