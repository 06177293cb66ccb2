import { readAnswer } from '../catalog/backend-messages.js'
import { bindMessage, executeMessage, parseMessage, syncMessage } from '../catalog/frontend-messages.js'
import { refuse } from '../wire/pg-error.js'
import { type CatalogContext, questionOf } from './catalog-answerer.js'

/** Makes a temporary table in the catalogue for a moment, to see whether it can be made; resolves to the command tag. */
export async function tryTemporary(text: string, context: CatalogContext | undefined, signal: AbortSignal): Promise<string> {
  if (context === undefined)
    return refuse('25006', 'temporary tables need the catalogue, which is switched off (PGWIRE_CATALOG=off)')
  const bound = bindMessage({ values: [], valueFormats: [], formats: [] })
  const messages = [parseMessage(text, []), bound, executeMessage(0), syncMessage()]
  const look = { client: context.client, view: await context.view(), question: questionOf(text, messages, context) }
  return readAnswer(await context.catalog.ask(look, signal)).tag
}
