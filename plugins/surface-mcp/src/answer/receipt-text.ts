import type { Executed } from '../api/shapes.js'

/** What the numbers mean, in a few lines below them: definitions, filters, zone, model version, warnings. */
export function receiptText({ receipt, warnings }: Pick<Executed, 'receipt' | 'warnings'>): string {
  const lines = warnings.map(({ code, message }) => `warning ${code}: ${message}`)
  if (receipt === undefined) return lines.join('\n')
  const { definitions, filters, timezone, model, version, read_at } = receipt
  return [
    ...lines,
    ...definitions.map(({ name, definition, status }) => `${name} = ${definition}${status === undefined ? '' : ` [${status}]`}`),
    ...(filters.length > 0 ? [`filters: ${filters.join('; ')}`] : []),
    `model ${model} ${version.slice(0, 12)}, zone ${timezone}, read ${read_at}`,
  ].join('\n')
}
