import type { Command, Flags } from './command.js'

export interface CommandEntry {
  /** The arguments after the name. */
  readonly usage: string
  readonly does: string
  /** Imported on first use, so that `--help` is fast. */
  readonly load: () => Promise<{ readonly run: Command; readonly flags: Flags }>
}

const WHERE = '[MODEL]'

/** The commands, in the order of the help. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  serve: { usage: '[--workers N] [--from FORMAT [PATH]]', does: 'runs the server', load: () => import('./serve.js') },
  init: {
    usage: '[--output FILE] [--name NAME] [--schema NAME] [--views] [--no-probe]',
    does: 'writes a first model from the tables of the database',
    load: () => import('./init.js'),
  },
  validate: {
    usage: 'MODEL [--against-database] [--format text|json|sarif]',
    does: 'checks a model, and its tables',
    load: () => import('./validate.js'),
  },
  convert: {
    usage: 'PATH [--from FORMAT] [--to FORMAT] [--output FILE] [--drop-security] [--json]',
    does: 'writes a model of another product as one of this server, or the other way round, and lists what changed',
    load: () => import('./convert.js'),
  },
  compile: {
    usage: `${WHERE} QUESTION [--dialect NAME] [--explain | --stage STAGE] [--without RULE]`,
    does: 'shows the SQL of a question',
    load: () => import('./compile.js'),
  },
  execute: {
    usage: `${WHERE} QUESTION [--format table|md|json|ndjson|csv|tsv|arrow|…]`,
    does: 'answers a question',
    load: () => import('./execute.js'),
  },
  explain: {
    usage: `${WHERE} NAME…|QUESTION [--json]`,
    does: 'shows how a field is defined, or how a query is planned',
    load: () => import('./explain.js'),
  },
  rollup: {
    usage: `sql|dbt MODEL NAME | build|verify MODEL [NAME…] | status MODEL | why ${WHERE} QUESTION [--would FILE]`,
    does: 'builds rollup tables, prints their statements, or says which tables a question could be answered from',
    load: () => import('./rollup.js'),
  },
  describe: {
    usage: `${WHERE} [NAME…] [--json]`,
    does: 'shows what can be asked, or what fields mean',
    load: () => import('./describe.js'),
  },
  find: { usage: `${WHERE} WORDS [--json]`, does: 'finds fields by words', load: () => import('./find.js') },
  diagram: {
    usage: `${WHERE} [--no-columns] [--theme NAME]`,
    does: 'draws the joins as a Mermaid diagram',
    load: () => import('./diagram.js'),
  },
  verify: {
    usage: `${WHERE} [--from FORMAT] [--format text|json|sarif]`,
    does: 'checks the keys, joins and sums of a model against its data',
    load: () => import('./verify.js'),
  },
  types: {
    usage: 'MODEL [--write] [--json]',
    does: 'shows how the database stores the columns of a model, or writes it into a file for compilations without it',
    load: () => import('./types.js'),
  },
  test: {
    usage: 'MODEL [--json] [--junit FILE] [--sarif FILE]',
    does: 'runs the tests of a model',
    load: () => import('./test.js'),
  },
  diff: {
    usage: 'A B [--values] [--by DIMENSION] [--format text|md|json]',
    does: 'shows what changed between two models, and which numbers move',
    load: () => import('./diff.js'),
  },
  watch: {
    usage: 'MODEL [--serve]',
    does: 'validates and tests a model whenever its file changes',
    load: () => import('./watch.js'),
  },
  codegen: {
    usage: `${WHERE} [--output FILE] [--name NAME]`,
    does: 'writes the types of a model for @grainline/client',
    load: () => import('./codegen.js'),
  },
  connect: {
    usage: `TOOL ${WHERE} [--host NAME] [--port N] [--user NAME] [--tls] [--output FOLDER] [--url URL]`,
    does: 'writes what superset, tableau, power-bi, excel or dbeaver imports to know a model, or sets up metabase',
    load: () => import('./connect.js'),
  },
  access: {
    usage: 'MODEL --as admin|NAME|JSON [QUESTION] [--json]',
    does: 'says which access rules bind somebody, and which of them each measure, and answers a question for it',
    load: () => import('./access.js'),
  },
  dialects: { usage: '[--json]', does: 'lists the SQL dialects', load: () => import('./dialects.js') },
  plugins: {
    usage: '[--json]',
    does: 'shows what is loaded, from where, and how long each took',
    load: () => import('./plugins.js'),
  },
  settings: { usage: '[--json]', does: 'shows the public settings', load: () => import('./settings.js') },
  doctor: {
    usage: '[--json]',
    does: 'checks settings, certificates and connections, or a server, and says what to do',
    load: () => import('./doctor.js'),
  },
  request: {
    usage: 'METHOD PATH [--data JSON|@FILE]',
    does: 'sends any request to a server',
    load: () => import('./request.js'),
  },
}
