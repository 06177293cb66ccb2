import { ApiError, type Finding } from '../api/api-error.js'

/** An error as a tool result for the agent: what is wrong, what to do, and similar names. */
export function refused(error: unknown) {
  return { content: [{ type: 'text' as const, text: refusalText(error) }], isError: true }
}

export function refusalText(error: unknown): string {
  if (!(error instanceof ApiError)) throw error
  const { code, message, hint, suggestions = [] } = error.refusal
  // The message already contains a single finding.
  const findings = (error.refusal.findings ?? []).filter(
    (finding, _, all) => all.length > 1 || !message.includes(finding.message),
  )
  return [
    `${code}: ${message}`,
    ...findings.slice(0, MOST_FINDINGS).map(findingText),
    ...(findings.length > MOST_FINDINGS ? [`… ${findings.length - MOST_FINDINGS} more`] : []),
    ...(hint ? [`Hint: ${hint}`] : []),
    ...(suggestions.length > 0 ? [`Closest: ${suggestions.join(', ')}`] : []),
  ].join('\n')
}

const MOST_FINDINGS = 10

/** `CODE at path (line 7): message`, and the fix if there is one. */
export function findingText({ code, message, path, line, hint, suggestions = [] }: Finding): string {
  const place = [path && ` at ${path}`, line === undefined ? '' : ` (line ${line})`].join('')
  const near = suggestions.length > 0 ? ` Closest: ${suggestions.join(', ')}.` : ''
  return `${code}${place}: ${message}${hint ? ` Hint: ${hint}` : ''}${near}`
}
