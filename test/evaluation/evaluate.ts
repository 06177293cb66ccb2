import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { getEncoding } from 'js-tiktoken'
import { readConfig } from '../../core/src/host/config.js'
import { startServer } from '../../core/src/host/server.js'
import { ask, openParquet } from '../support/answers.js'
import { type Agent, type Tool, toolsOf } from './agent.js'
import { isRight } from './grade.js'
import type { Question } from './questions.js'

/** Created once, because it takes a second. */
const encoding = getEncoding('o200k_base')
const counted = new Map<string, number>()

function tokensOf(text: string): number {
  const tokens = counted.get(text) ?? encoding.encode(text).length
  counted.set(text, tokens)
  return tokens
}

export interface Result extends Question {
  readonly right: boolean
  readonly calls: number
  readonly tokens: number
  /** The tool calls and their answers. */
  readonly transcript: readonly string[]
}

/** Gives each question to the agent, over HTTP, through the TypeScript client of MCP, and compares the answer with the expected one. */
export async function evaluate(agent: Agent, questions: readonly Question[]): Promise<Result[]> {
  const config = await readConfig(new URL('server.yaml', import.meta.url).pathname, () => undefined)
  const server = await startServer(config, { process: { PORT: '0', HOST: '127.0.0.1' }, dotenv: {} })
  const client = new Client({ name: 'evaluation', version: '1' })
  const tables = await openParquet(filesOf(config))
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL('/v1/mcp', server.address)))
    const { tools } = await client.listTools()
    const results: Result[] = []
    for (const question of questions) {
      const truth = await ask(tables, question.sql)
      results.push(await answer({ question, agent, client, tools, truth }))
    }
    return results
  } finally {
    tables.closeSync()
    await client.close()
    await server.close()
  }
}

interface Asked {
  readonly question: Question
  readonly agent: Agent
  readonly client: Client
  readonly tools: readonly Tool[]
  readonly truth: Awaited<ReturnType<typeof ask>>
}

async function answer({ question, agent, client, tools: offered, truth }: Asked): Promise<Result> {
  const tools = toolsOf(client, offered, question.model)
  const found = await agent(question.ask, tools)
  const texts = tools.texts()
  const tokens = [question.ask, ...texts].reduce((sum, text) => sum + tokensOf(text), 0)
  const right = isRight(found, truth, question.ordered === true)
  return { ...question, right, calls: tools.calls(), tokens, transcript: texts.slice(1 + tools.tools.length) }
}

/** The tables that the configuration of the server names. */
function filesOf(config: Awaited<ReturnType<typeof readConfig>>): Record<string, string> {
  for (const plugin of config.plugins)
    if (typeof plugin === 'object' && plugin !== null && 'with' in plugin && plugin.with && 'tables' in plugin.with) {
      const tables = plugin.with.tables as Record<string, string>
      return Object.fromEntries(
        Object.entries(tables).map(([name, file]) => [name, new URL(file, new URL('server.yaml', import.meta.url)).pathname]),
      )
    }
  return {}
}
