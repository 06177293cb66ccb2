/** DBeaver: the connections of a project. */
import type { Connection, ToolFile } from './relation.js'

export function dbeaverFiles({ host, port, user, tls, relations }: Connection): readonly ToolFile[] {
  const { model } = relations[0]
  const configuration = {
    host,
    port: String(port),
    database: model,
    user,
    url: `jdbc:postgresql://${host}:${port}/${model}`,
    configurationType: 'MANUAL',
    type: 'prod',
    'auth-model': 'native',
    ...(tls && { handlers: { 'postgre-ssl': { type: 'CONFIG', enabled: true, properties: { sslMode: 'require' } } } }),
  }
  const entry = {
    provider: 'postgresql',
    driver: 'postgres-jdbc',
    name: model,
    'save-password': true,
    'read-only': true,
    configuration,
  }
  const content = { folders: {}, connections: { [`postgres-jdbc-grainline-${model}`]: entry } }
  return [{ name: 'data-sources.json', content: `${JSON.stringify(content, null, 2)}\n` }]
}
