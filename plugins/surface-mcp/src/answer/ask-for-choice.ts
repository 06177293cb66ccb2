import { acceptedContent, type ClientCapabilities, inputRequired, type ServerContext } from '@modelcontextprotocol/server'
import { ApiError, type Choices } from '../api/api-error.js'

/** The choices of the user when a call was repeated, by argument name. */
export function chosenBefore({ mcpReq }: ServerContext): Record<string, string> {
  return acceptedContent<Record<string, string>>(mcpReq.inputResponses, CHOICE) ?? {}
}

/**
 * A question to the person, where a call can be answered in several ways and the client can show them. Undefined for any other error, for
 * other clients, and for a person who did not choose: then the agent reads the choices in the refusal.
 */
export function askForChoice(error: unknown, context: ServerContext, capabilities: ClientCapabilities | undefined) {
  if (!(error instanceof ApiError)) return undefined
  const { choices } = error.refusal
  if (choices === undefined || context.mcpReq.inputResponses !== undefined || !showsForms(capabilities)) return undefined
  const message = `${error.message}. Which ${choices.argument} is meant?`
  return inputRequired({ inputRequests: { [CHOICE]: inputRequired.elicit({ message, requestedSchema: formOf(choices) }) } })
}

const CHOICE = 'choice'

/** A client that names no way of asking has the only one that there was at first. */
const showsForms = (capabilities: ClientCapabilities | undefined): boolean => {
  const ways = capabilities?.elicitation
  return ways !== undefined && (ways.form !== undefined || ways.url === undefined)
}

const formOf = ({ argument, values }: Choices) => ({
  type: 'object' as const,
  properties: { [argument]: { type: 'string' as const, enum: [...values] } },
  required: [argument],
})
