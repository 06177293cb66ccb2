import { completable, type McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { namesLike } from './resources.js'
import type { World } from './world.js'

const user = (text: string) => ({ messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] })

/** Each prompt names only tools that are offered. */
export function registerPrompts(server: McpServer, world: World, tools: ReadonlySet<string>): void {
  const measure = completable(z.string().optional(), (start) => namesLike(start ?? '', world, ['measure', 'metric']))
  server.registerPrompt(
    'answer',
    {
      title: 'Answer a question with governed numbers',
      description: 'Finds the fields, runs the query, and cites the definitions.',
      argsSchema: z.object({ question: z.string(), measure }),
    },
    ({ question, measure: wanted }) =>
      user(
        `Answer this question: ${question}\n${wanted ? `Use the measure "${wanted}".\n` : ''}Find the fields and the literals of filters with search_fields, then ask with query. Say which definitions and filters the numbers have. Do not present a proposed metric as certified.`,
      ),
  )
  if (tools.has('load_model')) registerAuthoring(server)
}

function registerAuthoring(server: McpServer): void {
  server.registerPrompt(
    'write_model',
    {
      title: 'Write a semantic model',
      description: 'From tables to a model that validates.',
      argsSchema: z.object({ tables: z.string().describe('DDL, or a description of the tables') }),
    },
    ({ tables }) =>
      user(
        `Write a Grainline model in YAML for these tables:\n${tables}\nRead grainline://reference/model-format first. Check it with validate_model until it is valid, then load it with load_model and ask one question of it.`,
      ),
  )
  server.registerPrompt(
    'fix_model',
    {
      title: 'Fix a semantic model',
      description: 'From a model with faults to one that validates.',
      argsSchema: z.object({ model_yaml: z.string() }),
    },
    ({ model_yaml }) =>
      user(
        `Fix this Grainline model with the fewest changes. validate_model names each fault with its line and a hint; check again after each change. Say what you changed and why.\n${model_yaml}`,
      ),
  )
}
