import { refuse } from '../wire/pg-error.js'
import type { Answerer } from './answer.js'

/** Replaces the catalogue where there is none. */
export const noCatalog: Answerer = {
  describe: async () => refuseCatalog(),
  open: async () => refuseCatalog(),
}

function refuseCatalog(): never {
  return refuse('0A000', 'this statement reads no model, and the catalogue is switched off (PGWIRE_CATALOG=off)', {
    hint: 'PGWIRE_CATALOG=lazy answers what tools ask about tables and columns.',
  })
}
