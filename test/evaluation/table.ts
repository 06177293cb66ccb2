import type { Result } from './evaluate.js'

/** A Markdown table with a line for each question, and a summary. */
export function tableOf(results: readonly Result[]): string {
  const lines = results.map(
    ({ model, ask, right, calls, tokens }) => `| ${model} | ${ask} | ${right ? 'yes' : 'no'} | ${calls} | ${tokens} |`,
  )
  return ['| Model | Question | Right | Calls | Tokens |', '|---|---|---|---:|---:|', ...lines, '', summary(results)].join('\n')
}

export function summary(results: readonly Result[]): string {
  const right = results.filter((result) => result.right).length
  const most = (of: 'calls' | 'tokens') => Math.max(...results.map((result) => result[of]))
  const mean = Math.round(results.reduce((sum, { tokens }) => sum + tokens, 0) / results.length)
  return `${right} of ${results.length} right; at most ${most('calls')} calls and ${most('tokens')} tokens, ${mean} tokens on average.`
}
