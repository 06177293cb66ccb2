import type { World } from '../world.js'
import { describeFields } from './describe-fields.js'
import { fieldValues } from './field-values.js'
import { loadModel } from './load-model.js'
import { query } from './query.js'
import { removeModel } from './remove-model.js'
import { searchFields } from './search-fields.js'
import type { Answer, Call, Tool } from './tool.js'
import { validateModel } from './validate-model.js'

/** A tool whose schema validates the arguments before it runs. */
export type AnyTool = Omit<Tool<never>, 'run' | 'required'> & {
  readonly required: readonly string[]
  readonly run: (given: unknown, world: World, call: Call) => Promise<Answer>
}

const listed = <A>({ required = [], run, ...tool }: Tool<A>): AnyTool => ({
  ...tool,
  required,
  run: (given, world, call) => run(given as A, world, call),
})

/** The tools in the usual order of use. The order never changes, because a change would invalidate the prompt caches of hosts. */
export const TOOLSETS = {
  ask: [listed(searchFields), listed(query)],
  query: [listed(searchFields), listed(describeFields), listed(fieldValues), listed(query)],
  authoring: [listed(validateModel), listed(loadModel), listed(removeModel)],
} as const satisfies Record<string, readonly AnyTool[]>

export type Toolset = keyof typeof TOOLSETS

/** The two tools with which a question is answered in two calls. Every further tool would cost each question its description. */
export const DEFAULT_TOOLSETS: readonly Toolset[] = ['ask']
