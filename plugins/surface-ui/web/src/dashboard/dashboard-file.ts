/** Dashboards and questions as YAML files. Loaded when a file is opened or saved. */
import { parseDocument, stringify } from 'yaml'
import { isObject } from '../query/is-query.js'
import { type Dashboard, readDashboard, readTile, type SavedQuestion, type Tile } from './dashboard.js'

export const writeDashboard = ({ title, model, time, filters, tiles }: Dashboard): string =>
  written({
    dashboard: { title, ...(model !== undefined && { model }), ...(time && { time }), ...(filters && { filters }), tiles },
  })

export const writeQuestion = ({ title, as, query, chart }: SavedQuestion, model: string): string =>
  written({ question: { title, model, as, query, ...(chart && { chart }) } })

const written = (value: object): string => stringify(value, { lineWidth: 100, aliasDuplicateObjects: false })

export type Opened =
  | { readonly kind: 'dashboard'; readonly dashboard: Dashboard }
  | { readonly kind: 'question'; readonly question: Tile; readonly model: string | undefined }

/** What a file contains. Throws an `Error` that says what is wrong with it. */
export function readFileText(text: string): Opened {
  const document = parseDocument(text)
  const [fault] = document.errors
  if (fault !== undefined) throw new Error(`This file is not YAML: ${fault.message.split('\n')[0]}`)
  const value: unknown = document.toJS({ maxAliasCount: 100 })
  const { dashboard, question } = isObject(value) ? value : {}
  const read = readDashboard(dashboard)
  if (read) return { kind: 'dashboard', dashboard: read }
  const tile = readTile(question)
  const model = isObject(question) && typeof question['model'] === 'string' ? question['model'] : undefined
  if (tile) return { kind: 'question', question: tile, model }
  throw new Error('This file has neither a dashboard with tiles nor a question with a query. Open one that this page saved.')
}
