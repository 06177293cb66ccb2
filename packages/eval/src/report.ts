import type { Result, Verdict } from './evaluate.js'

/** A line of Markdown for each question. */
export const HEAD = '| Model | Question | Verdict | Calls | Tokens |\n|---|---|---|---:|---:|'

export const lineOf = ({ question: { model, ask }, verdict, calls, tokens }: Result): string =>
  `| ${[model, ask].map((text) => text.replaceAll('|', '\\|')).join(' | ')} | ${SAID[verdict]} | ${calls} | ${tokens} |`

const SAID: Readonly<Record<Verdict, string>> = {
  right: 'right',
  refused: 'rightly refused',
  wrong: '**wrong**',
  missing: '**no answer**',
}

export interface Summary extends Readonly<Record<Verdict, number>> {
  readonly questions: number
  readonly mostCalls: number
  readonly mostTokens: number
  readonly meanTokens: number
}

export function summaryOf(results: readonly Result[]): Summary {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length
  const most = (of: 'calls' | 'tokens') => Math.max(0, ...results.map((result) => result[of]))
  const sum = results.reduce((total, { tokens }) => total + tokens, 0)
  return {
    questions: results.length,
    right: count('right'),
    refused: count('refused'),
    wrong: count('wrong'),
    missing: count('missing'),
    mostCalls: most('calls'),
    mostTokens: most('tokens'),
    meanTokens: results.length === 0 ? 0 : Math.round(sum / results.length),
  }
}

export function sentenceOf({ questions, right, refused, wrong, missing, mostCalls, mostTokens, meanTokens }: Summary): string {
  const told = [`${right} right`, `${refused} rightly refused`, `${wrong} wrong`, `${missing} without an answer`].join(', ')
  return `${questions} questions: ${told}; at most ${mostCalls} calls and ${mostTokens} tokens, ${meanTokens} tokens on average.`
}
