/** Power BI: a file that opens the connection in DirectQuery, because an import adds up values that do not add up. */
import { PROTOCOL } from './protocol.js'
import type { Connection, ToolFile } from './relation.js'

export function powerBiFiles({ host, port, relations }: Connection): readonly ToolFile[] {
  const { model } = relations[0]
  const details = { protocol: PROTOCOL.scheme, address: { server: `${host}:${port}`, database: model } }
  const content = { version: '0.1', connections: [{ details, options: {}, mode: 'DirectQuery' }] }
  return [{ name: `${model}.pbids`, content: `${JSON.stringify(content, null, 2)}\n` }]
}
