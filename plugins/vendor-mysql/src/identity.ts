import type { MysqlPlan } from './options.js'

/**
 * The database and who asks it, whichever way the plan says so; never the password. What the plan leaves out is as the driver has it, which
 * looks at no variable of the environment (https://sidorares.github.io/node-mysql2/docs/examples/connections/create-connection).
 */
export function identityOf({ dialect, client }: MysqlPlan): string {
  const { socketPath, host = 'localhost', port = 3306, database, user } = client
  const server = socketPath === undefined ? { host, port } : { socketPath }
  return JSON.stringify({ dialect, ...server, database, user })
}
