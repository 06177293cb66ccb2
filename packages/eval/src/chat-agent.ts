import type { Agent, Tools } from './agent.js'

/**
 * A language model with an HTTP API for chats with tools, in the form that most providers offer (`POST …/chat/completions`). EVAL_URL
 * is its address, EVAL_MODEL the model, EVAL_KEY the key. Undefined if there is no address.
 */
export function chatAgent(env: Readonly<Record<string, string | undefined>>): Agent | undefined {
  const { EVAL_URL: url, EVAL_MODEL: model, EVAL_KEY: key } = env
  if (!url) return undefined
  if (!model) throw new Error('EVAL_URL is set, EVAL_MODEL is not. Set it to the name of the model.')
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
  const complete = async (body: object): Promise<Message> => {
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ model, ...body }) })
    if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${(await reply.text()).slice(0, 500)}`)
    const { choices }: { readonly choices: readonly { readonly message: Message }[] } = JSON.parse(await reply.text())
    const [first] = choices
    if (first === undefined) throw new Error(`${url} answered without a message`)
    return first.message
  }
  return (question, tools) => converse(question, tools, complete)
}

interface Message {
  readonly role: string
  readonly content?: string | null
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

const MOST_TURNS = 10
const TASK =
  'Answer with the tools. The rows of your last query are the answer: ask for exactly what the question wants, then stop.'

async function converse(question: string, tools: Tools, complete: (body: object) => Promise<Message>) {
  const offered = tools.tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }))
  const messages: object[] = [
    { role: 'system', content: `${tools.instructions}\n${TASK}` },
    { role: 'user', content: question },
  ]
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const message = await complete({ messages, tools: offered })
    messages.push(message)
    if (!message.tool_calls?.length) break
    for (const { id, function: called } of message.tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, content: await callTool(tools, called.name, called.arguments) })
  }
  return tools.answered()
}

/** The output of a model may be invalid JSON or name no tool; then the model gets an error, like any client. */
async function callTool(tools: Tools, name: string, written: string): Promise<string> {
  try {
    return await tools.call(name, JSON.parse(written || '{}'))
  } catch (error) {
    return `error: ${error instanceof Error ? error.message : error}`
  }
}
