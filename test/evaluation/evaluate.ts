/** Our own questions, whose truth is SQL over the tables, through `@grainline/eval`. */
import { type Agent, evaluate, type Result } from '@grainline/eval'
import { readConfig } from '../../core/src/host/config.js'
import { startServer } from '../../core/src/host/server.js'
import { ask, openParquet } from '../support/answers.js'
import type { Question } from './questions.js'

/** Starts a server with the two models, and gives each question to the agent. */
export async function evaluateOurs(agent: Agent, questions: readonly Question[]): Promise<Result[]> {
  const config = await readConfig(new URL('server.yaml', import.meta.url).pathname, () => undefined)
  const server = await startServer(config, { process: { PORT: '0', HOST: '127.0.0.1' }, dotenv: {} })
  const tables = await openParquet(filesOf(config))
  const rowsOf = async (sql: string) => ({ kind: 'rows' as const, rows: (await ask(tables, sql)).rows })
  try {
    const asked = []
    for (const { model, ask: words, sql, ordered = false } of questions)
      asked.push({ model, ask: words, ordered, truth: sql === undefined ? REFUSED : await rowsOf(sql) })
    const results: Result[] = []
    for await (const result of evaluate({ address: server.address!, headers: {} }, agent, asked)) results.push(result)
    return results
  } finally {
    tables.closeSync()
    await server.close()
  }
}

const REFUSED = { kind: 'refused' as const }

/** The tables that the configuration of the server names. */
function filesOf(config: Awaited<ReturnType<typeof readConfig>>): Record<string, string> {
  for (const plugin of config.plugins)
    if (typeof plugin === 'object' && plugin !== null && 'with' in plugin && plugin.with && 'tables' in plugin.with) {
      const tables = plugin.with.tables as Record<string, string>
      return Object.fromEntries(
        Object.entries(tables).map(([name, file]) => [name, new URL(file, new URL('server.yaml', import.meta.url)).pathname]),
      )
    }
  return {}
}
