import type { Client } from '@modelcontextprotocol/client'
import type { Tiktoken } from 'js-tiktoken'
import { type Agent, type Tool, toolsOf } from './agent.js'
import type { Answer } from './answer.js'
import { isRight } from './grade.js'
import type { Question } from './question.js'
import { openTruth, type Server, withSlash } from './server.js'

/** `refused`: there is no answer, and the agent gave none. `wrong`: other rows, or rows where there is no answer. `missing`: no rows where there is one. */
export type Verdict = 'right' | 'refused' | 'wrong' | 'missing'

export interface Result {
  readonly question: Question
  readonly verdict: Verdict
  readonly calls: number
  /** Of everything that the agent reads and writes, the descriptions of all tools included. */
  readonly tokens: number
  /** The calls and their answers. */
  readonly transcript: readonly string[]
}

/** Gives each question to the agent, through the TypeScript client of MCP over HTTP, and compares its rows with the truth. */
export async function* evaluate(server: Server, agent: Agent, questions: readonly Question[]): AsyncGenerator<Result> {
  const truthOf = await openTruth(server)
  const [{ Client, StreamableHTTPClientTransport }, counter] = await Promise.all([
    import('@modelcontextprotocol/client'),
    tokenCounter(),
  ])
  const client = new Client({ name: 'grainline-eval', version: '1' })
  const address = new URL('v1/mcp', withSlash(server.address))
  try {
    await client
      .connect(new StreamableHTTPClientTransport(address, { requestInit: { headers: { ...server.headers } } }))
      .catch((cause: unknown) => {
        throw new Error(`${address} does not serve MCP; start the server with MCP_ENABLED=true`, { cause })
      })
    const { tools } = await client.listTools()
    for (const question of questions) {
      const { truth, model } = question
      const wanted =
        truth.kind === 'query' ? await truthOf(model, truth.query) : truth.kind === 'rows' ? answerOf(truth.rows) : undefined
      yield answer({ question, agent, client, tools, wanted, tokensOf: counter })
    }
  } finally {
    await client.close()
  }
}

interface Asked {
  readonly question: Question
  readonly agent: Agent
  readonly client: Client
  readonly tools: readonly Tool[]
  /** Absent where the right answer is none. */
  readonly wanted: Answer | undefined
  readonly tokensOf: (text: string) => number
}

async function answer({ question, agent, client, tools: offered, wanted, tokensOf }: Asked): Promise<Result> {
  const tools = toolsOf(client, offered, question.model)
  const found = await agent(question.ask, tools)
  const texts = tools.texts()
  const tokens = [question.ask, ...texts].reduce((sum, text) => sum + tokensOf(text), 0)
  const verdict = verdictOf(found, wanted, question.ordered)
  return { question, verdict, calls: tools.calls(), tokens, transcript: texts.slice(1 + tools.tools.length) }
}

function verdictOf(found: Answer | undefined, wanted: Answer | undefined, ordered: boolean): Verdict {
  if (wanted === undefined) return found === undefined ? 'refused' : 'wrong'
  if (found === undefined) return 'missing'
  return isRight(found, wanted, ordered) ? 'right' : 'wrong'
}

const answerOf = (rows: Answer['rows']): Answer => ({ columns: (rows[0] ?? []).map((_cell, at) => String(at)), rows })

/** Created once, because it takes a second. */
let encoding: Tiktoken | undefined

/** Counts the tokens of texts. Many texts come again and again, such as the descriptions of tools. */
async function tokenCounter(): Promise<(text: string) => number> {
  const { getEncoding } = await import('js-tiktoken')
  encoding ??= getEncoding('o200k_base')
  const made = encoding
  const counted = new Map<string, number>()
  return (text) => {
    const tokens = counted.get(text) ?? made.encode(text).length
    counted.set(text, tokens)
    return tokens
  }
}
