import type { Client } from '@modelcontextprotocol/client'
import type { Answer } from './answer.js'

/** Answers a question through the tools; undefined if it gives up. */
export type Agent = (question: string, tools: Tools) => Promise<Answer | undefined>

export interface Tool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: object
}

/** The budget of a question, and the cost of its answer. */
export interface Tools {
  readonly instructions: string
  readonly tools: readonly Tool[]
  readonly calls: () => number
  /** The text of the answer, also if it is an error. */
  call(name: string, given: Record<string, unknown>): Promise<string>
  /** The rows of the last `query` call. */
  readonly answered: () => Answer | undefined
  /** Everything that an agent reads and writes: tools, instructions, calls and answers, each once. */
  readonly texts: () => readonly string[]
}

/** The tools of a server for one question about one model. */
export function toolsOf(client: Client, tools: readonly Tool[], model: string): Tools {
  const instructions = client.getInstructions() ?? ''
  const texts = [
    instructions,
    ...tools.map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema })),
  ]
  let [calls, answered]: [number, Answer | undefined] = [0, undefined]
  return {
    instructions,
    tools,
    calls: () => calls,
    answered: () => answered,
    texts: () => texts,
    call: async (name, given) => {
      calls += 1
      const written = { ...given, model }
      const { content, structuredContent } = await client.callTool({ name, arguments: written })
      const [first] = content
      const text = first?.type === 'text' ? first.text : ''
      texts.push(JSON.stringify({ name, arguments: written }), text)
      if (name === 'query') answered = answerOf(structuredContent)
      return text
    },
  }
}

const answerOf = (structured: unknown): Answer | undefined => (isAnswer(structured) ? structured : undefined)

/** An answer of `query` has both, an error neither. */
const isAnswer = (structured: unknown): structured is Answer =>
  typeof structured === 'object' && structured !== null && 'columns' in structured && 'rows' in structured
