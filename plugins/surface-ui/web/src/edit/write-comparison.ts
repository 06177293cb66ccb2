import type { ModelText, TextEdit } from '@grainline/language'
import type { Comparison } from '../model/fields.js'

/** The edit that adds the metrics of a comparison to a model; none if the model has them. */
export function writeComparison(model: ModelText, { measure, time }: Comparison): readonly TextEdit[] {
  const written = COMPARISONS.map(
    ([comparison, suffix]) => [`${measure} ${suffix}`, metricText(measure, time, comparison)] as const,
  )
  const missing = written
    .filter(([name]) => !model.byPath.has(`metrics.${name}`))
    .map(([name, text]) => `${scalar(name)}: ${text}`)
  return missing.length === 0 ? [] : [insertion(model, missing)]
}

const COMPARISONS = [
  ['previousValue', 'a Period Before'],
  ['percentChange', 'Growth'],
] as const

const metricText = (measure: string, time: string, comparison: string): string =>
  `{ type: period_over_period, expression: '{[${measure.replaceAll("'", "''")}]}', periodOverPeriod: { timeDimension: ${scalar(time)}, comparison: ${comparison} } }`

/** Before the first metric, in its style; a new section if there is no metric. */
function insertion({ text, byPath }: ModelText, lines: readonly string[]): TextEdit {
  const first = [...byPath.values()].find(({ path, key }) => path.length === 2 && path[0] === 'metrics' && key !== undefined)
  const at = first?.key?.range?.[0]
  if (at === undefined) {
    const rest = byPath.has('metrics') ? withoutEmpty(text) : { from: text.length, to: text.length }
    const start = text.length === 0 || text.endsWith('\n') || rest.from < text.length ? '' : '\n'
    return { ...rest, text: `${start}metrics:\n${lines.map((line) => `  ${line}\n`).join('')}` }
  }
  const indent = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  const between = /^\s*$/.test(indent) ? `\n${indent}` : ', '
  return { from: at, to: at, text: lines.map((line) => `${line}${between}`).join('') }
}

/** The line of an empty section. */
function withoutEmpty(text: string): { readonly from: number; readonly to: number } {
  const found = /^metrics:.*(?:\n|$)/m.exec(text)
  const from = found?.index ?? text.length
  return { from, to: from + (found?.[0].length ?? 0) }
}

/** Unquoted if YAML reads it as text, even inside braces. */
function scalar(name: string): string {
  const plain = /^[A-Za-z][\w ]*\w$/.test(name) && !/^(?:true|false|null|yes|no|on|off)$/i.test(name)
  return plain ? name : JSON.stringify(name)
}
