import type { Api } from './api/api.js'
import { ApiError } from './api/api-error.js'
import { type AnyTool, TOOLSETS, type Toolset } from './tools/toolsets.js'

/** The properties of the API that decide which tools are offered. */
export interface Capabilities {
  readonly runsQueries: boolean
  /** Whether models come only from files. */
  readonly curated: boolean
}

/** If the API does not answer, all tools are offered, and each of them reports the error. */
export async function capabilitiesOf(api: Api): Promise<Capabilities> {
  try {
    const { execution_enabled, curated } = await api.get<{ execution_enabled: boolean; curated: boolean }>('/v1/settings')
    return { runsQueries: execution_enabled, curated }
  } catch (error) {
    if (error instanceof ApiError) return { runsQueries: true, curated: false }
    throw error
  }
}

/** `query` has the tools of `ask`, too. */
function askingTools(toolsets: readonly Toolset[]): readonly AnyTool[] {
  if (toolsets.includes('query')) return TOOLSETS.query
  return toolsets.includes('ask') ? TOOLSETS.ask : []
}

export function offeredTools(toolsets: readonly Toolset[], { runsQueries, curated }: Capabilities): readonly AnyTool[] {
  return [
    ...askingTools(toolsets).filter(({ name }) => runsQueries || name !== 'field_values'),
    ...(toolsets.includes('authoring') && !curated ? TOOLSETS.authoring : []),
  ]
}
