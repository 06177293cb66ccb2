import { acceptedContent, type ClientCapabilities, inputRequired, type ServerContext } from '@modelcontextprotocol/server'
import { ApiError, type Choices } from '../api/api-error.js'

/** The choices of the user in a repeated call, by argument name. */
export function chosenBefore({ mcpReq }: ServerContext): Record<string, string> {
  return acceptedContent<Record<string, string>>(mcpReq.inputResponses, CHOICE) ?? {}
}

/**
 * A question to the user, if an argument has several possible values and the client can show a form. `undefined` for other errors, for other clients, and
 * after a question without an answer: then the agent reads the choices in the error.
 */
export function askForChoice(error: unknown, context: ServerContext, capabilities: ClientCapabilities | undefined) {
  if (!(error instanceof ApiError)) return undefined
  const { choices } = error.refusal
  if (choices === undefined || context.mcpReq.inputResponses !== undefined || !showsForms(capabilities)) return undefined
  const message = `${error.message}. Which ${choices.argument} is meant?`
  return inputRequired({ inputRequests: { [CHOICE]: inputRequired.elicit({ message, requestedSchema: formOf(choices) }) } })
}

const CHOICE = 'choice'

/** A client that names no mode supports forms, which were the only mode in earlier versions of the protocol. */
const showsForms = (capabilities: ClientCapabilities | undefined): boolean => {
  const ways = capabilities?.elicitation
  return ways !== undefined && (ways.form !== undefined || ways.url === undefined)
}

const formOf = ({ argument, values }: Choices) => ({
  type: 'object' as const,
  properties: { [argument]: { type: 'string' as const, enum: [...values] } },
  required: [argument],
})
