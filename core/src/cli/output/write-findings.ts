import { errorCatalog } from '../../error-catalog.js'
import type { Finding } from '../../errors.js'
import { VERSION } from '../../host/version.js'
import { sarifLog } from '../../model-tests/sarif.js'
import { type CommandIo, choiceOf } from '../command.js'
import { withHint } from './with-hint.js'

const FORMATS = ['text', 'json', 'sarif'] as const

/** `--format`, and its short form `--json`. */
export const findingFlags = { format: { type: 'string', short: 'f' }, json: { type: 'boolean' } } as const

export interface Report {
  readonly file: string
  /** Of a model of several files, the one with the line. */
  readonly isOfFiles?: boolean
  readonly findings: readonly Finding[]
  /** The whole result as JSON. */
  readonly json: object
  /** The last line of the text. */
  readonly summary: string
}

/** Writes findings as lines that editors parse, as JSON, or as SARIF for code scanning. */
export function writeFindings(
  { format, json }: { readonly format?: string | undefined; readonly json?: boolean | undefined },
  report: Report,
  { stdout }: CommandIo,
): void {
  const chosen = choiceOf('format', format ?? (json ? 'json' : 'text'), FORMATS)
  if (chosen === 'text') stdout.write(`${linesOf(report)}${report.summary}`)
  else stdout.write(`${JSON.stringify(chosen === 'json' ? report.json : sarifOf(report), null, 2)}\n`)
}

function sarifOf({ file, findings }: Report): object {
  const codes = [...new Set(findings.map(({ code }) => code))]
  const rules = codes.map((id) => ({ id, shortDescription: { text: errorCatalog[id]?.meaning ?? id } }))
  const results = findings.map((finding) => ({
    ruleId: finding.code,
    level: finding.severity,
    text: withHint(finding),
    line: finding.line,
    column: finding.column,
  }))
  return sarifLog(results, rules, { file, version: VERSION })
}

const linesOf = ({ findings, file, isOfFiles = false }: Report): string =>
  findings.map((finding) => formatFindings([finding], isOfFiles ? String(finding.context?.['file'] ?? file) : file)).join('')

/** `model.yaml:3:5: error UNKNOWN_COLUMN message hint (dimensions.Country.column)`: one line per finding, in a format that editors parse. */
export function formatFindings(findings: readonly Finding[], file: string): string {
  return findings.map((finding) => `${formatFinding(finding, file)}\n`).join('')
}

function formatFinding(finding: Finding, file: string): string {
  const { code, path, severity, line, column, context } = finding
  const source = typeof context?.source === 'string' ? `${file} (${context.source})` : file
  const place = line === undefined ? '' : `:${line}:${column ?? 1}`
  return `${source}${place}: ${severity} ${code} ${withHint(finding)}${path === '' ? '' : ` (${path})`}`
}
