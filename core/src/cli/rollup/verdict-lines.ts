import type { RollupVerdict } from '@grainline/client'

/** A line for each rollup, and a line for all of them. */
export function verdictLines(verdicts: readonly RollupVerdict[]): readonly string[] {
  if (verdicts.length === 0) return ['The model has no rollups that you see']
  const names = [...new Set(verdicts.flatMap(({ measures, others }) => [...measures, ...others]))]
  const missing = names.filter((name) => verdicts.every(({ measures }) => !measures.includes(name)))
  return [...verdicts.map(lineOf), summary(names, missing)]
}

function lineOf({ rollup, measures, reason, field, says }: RollupVerdict): string {
  const read = measures.length === 0 ? '' : `holds ${measures.join(', ')}`
  const fault = reason === null ? '' : `${reason}${field === null ? '' : ` (${field})`}: ${says}`
  return `${rollup}: ${[read, fault].filter(Boolean).join('; ')}`
}

function summary(names: readonly string[], missing: readonly string[]): string {
  if (names.length === 0) return 'The question reads rows'
  return missing.length === 0
    ? 'Every number of the question could be read from rollups'
    : `Read from rows: ${missing.join(', ')}`
}
