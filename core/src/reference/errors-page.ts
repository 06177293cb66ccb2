import { errorCatalog } from '../error-catalog.js'
import { page, row } from './markdown.js'

export function errorsPage(): string {
  const rows = Object.entries(errorCatalog).map(([code, { status, meaning, fix }]) =>
    row(`\`${code}\``, String(status), meaning, fix),
  )
  return page(
    'Codes',
    'Errors and warnings have one code each; codes are added, never reused. A warning does not change the status of an answer.',
    '',
    row('Code', 'Status', 'Meaning', 'How to fix it'),
    row('---', '---', '---', '---'),
    ...rows,
  )
}
