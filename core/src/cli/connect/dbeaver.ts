/** DBeaver: the connections of a project. */
import { PROTOCOL } from './protocol.js'
import type { Connection, ToolFile } from './relation.js'

export function dbeaverFiles({ host, port, user, tls, relations }: Connection): readonly ToolFile[] {
  const { model } = relations[0]
  const configuration = {
    host,
    port: String(port),
    database: model,
    user,
    url: `jdbc:${PROTOCOL.scheme}://${host}:${port}/${model}`,
    configurationType: 'MANUAL',
    type: 'prod',
    'auth-model': 'native',
    ...(tls && { handlers: { 'postgre-ssl': { type: 'CONFIG', enabled: true, properties: { sslMode: 'require' } } } }),
  }
  const entry = {
    provider: PROTOCOL.scheme,
    driver: `${PROTOCOL.kind}-jdbc`,
    name: model,
    'save-password': true,
    'read-only': true,
    configuration,
  }
  const content = { folders: {}, connections: { [`${PROTOCOL.kind}-jdbc-grainline-${model}`]: entry } }
  return [{ name: 'data-sources.json', content: `${JSON.stringify(content, null, 2)}\n` }]
}
