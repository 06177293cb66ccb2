import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Agent } from './agent.js'
import { chatAgent } from './chat-agent.js'
import { evaluate, type Result } from './evaluate.js'
import { type Question, readQuestions } from './question.js'
import { HEAD, lineOf, type Summary, sentenceOf, summaryOf } from './report.js'
import { scriptedAgent } from './scripted-agent.js'

const text = { type: 'string' } as const
const OPTIONS = {
  server: { ...text, default: 'http://localhost:8000' },
  'api-key': text,
  model: text,
  'most-calls': text,
  'most-tokens': text,
  show: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

const USAGE = `Usage: grainline eval QUESTIONS [--server URL] [--api-key KEY] [--model NAME] [--most-calls N] [--most-tokens N] [--show | --json]

Gives the questions of a file in YAML or JSON to an agent, through MCP of a server that runs, and compares its rows with the truth:

  - ask: How many flights were cancelled?
    rows: [[8255]]                                   # or query: { select: { measures: [Cancelled Flights] } }
  - ask: What did each passenger pay?
    refused: true                                    # the model cannot say it

The agent follows rules of English, without a language model. With EVAL_URL (an API for chats with tools), EVAL_MODEL and EVAL_KEY it is that model.
The exit code is 1 if an answer is wrong or missing, or above a limit.
`

interface Streams {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}

/** Runs the command. Resolves to its exit code: 0, 1 for wrong answers, 2 for what it cannot read or reach. */
export async function runEval(
  args: string[],
  { stdout, stderr }: Streams = process,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
    if (values.help) {
      stdout.write(USAGE)
      return 0
    }
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new Error(`eval takes one file of questions\n\n${USAGE}`)
    const limits = { calls: limitOf(values['most-calls']), tokens: limitOf(values['most-tokens']) }
    const key = values['api-key'] ?? env['GRAINLINE_API_KEY']
    const server = { address: values.server, headers: key === undefined ? {} : { authorization: `Bearer ${key}` } }
    const agent: Agent = chatAgent(env) ?? scriptedAgent
    const questions: readonly Question[] = readQuestions(await readFile(file, 'utf8'), values.model)
    const results: Result[] = []
    if (!values.json) stdout.write(`${HEAD}\n`)
    for await (const result of evaluate(server, agent, questions)) {
      results.push(result)
      if (!values.json) stdout.write(`${lineOf(result)}\n`)
    }
    const summary = summaryOf(results)
    stdout.write(values.json ? `${JSON.stringify({ ...summary, results }, null, 2)}\n` : `\n${sentenceOf(summary)}\n`)
    if (values.show && !values.json) stdout.write(results.map(transcriptOf).join(''))
    return isEnough(summary, limits) ? 0 : 1
  } catch (error) {
    stderr.write(`grainline eval: ${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
}

function limitOf(given: string | undefined): number {
  if (given === undefined) return Number.POSITIVE_INFINITY
  if (!/^\d+$/.test(given)) throw new Error(`a limit is a whole number, not '${given}'`)
  return Number(given)
}

const isEnough = (
  { wrong, missing, mostCalls, mostTokens }: Summary,
  { calls, tokens }: Readonly<Record<'calls' | 'tokens', number>>,
): boolean => wrong + missing === 0 && mostCalls <= calls && mostTokens <= tokens

const transcriptOf = ({ question, verdict, transcript }: Result): string =>
  `\n# ${question.ask} (${verdict})\n${transcript.join('\n')}\n`
