import t from 'tap'
import type { CatalogView } from '../catalog/catalog-view.js'
import { SessionSettings } from '../session/session-settings.js'
import type { SelectStatement } from '../statements/statement.js'
import { catalogAnswerer, type KeptAnswers } from './catalog-answerer.js'

t.test('an answer of the catalogue is kept for the principal that asked, and for no other', async (t) => {
  const kept: KeptAnswers = new Map()
  const asked: string[] = []
  const view: CatalogView = { database: 'shop', databases: ['shop'], relations: [] }
  const ask = async (principal: string, text: string) => {
    const answerer = catalogAnswerer({
      catalog: {
        warm: () => undefined,
        async ask() {
          asked.push(`${principal} ${text}`)
          return new Uint8Array()
        },
      },
      client: () => 'the same address',
      principal: () => principal,
      kept,
      settings: new SessionSettings(() => undefined),
      view: async () => view,
      temporary: () => [],
    })
    const statement: SelectStatement = { kind: 'select', text, offset: 0, relations: [], tree: undefined, parameters: 0 }
    await answerer.describe(statement, [], new AbortController().signal)
  }
  const tables = 'SELECT relname FROM pg_class'
  for (const principal of ['ada', 'ada', 'ben', 'ada', 'ben']) await ask(principal, tables)
  t.same(asked, [`ada ${tables}`, `ben ${tables}`])
})
