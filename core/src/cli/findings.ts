import type { Finding } from '../errors.js'

/** `model.yaml:3:5: error UNKNOWN_COLUMN message (dimensions.Country.column)`: one line per finding, as editors read them. */
export function formatFindings(findings: readonly Finding[], file: string): string {
  return findings.map((finding) => `${formatFinding(finding, file)}\n`).join('')
}

function formatFinding({ code, message, path, severity, line, column, context }: Finding, file: string): string {
  const source = typeof context?.source === 'string' ? `${file} (${context.source})` : file
  const place = line === undefined ? '' : `:${line}:${column ?? 1}`
  return `${source}${place}: ${severity} ${code} ${message}${path === '' ? '' : ` (${path})`}`
}
