/** `enabled` of dbt: the items that a project switches off, at the item or in its dbt_project.yml. */
import type { Loss } from '@grainline/core'
import type { Part, Place } from './part.js'

export type Section = (typeof SECTIONS)[number]

const SECTIONS = ['models', 'semantic-models', 'metrics', 'saved-queries'] as const

/** A line about a switch. An item that is `left` is not in the model. */
export interface SwitchNote {
  readonly loss: Loss & { readonly place: Place }
  readonly left: boolean
}

/** A switch is written as an expression if only dbt knows its value. */
type State = 'on' | 'off' | 'expression'

/** What the settings of the project say about a section as a whole. */
interface Switches {
  /** The documents that declare items. */
  readonly roots: readonly Part[]
  readonly sections: ReadonlyMap<Section, State>
  readonly notes: readonly SwitchNote[]
}

export function switchesOf(documents: readonly Part[]): Switches {
  const settings = documents.filter(isSettings)
  const written = settings.flatMap((project) => SECTIONS.flatMap((section) => writtenIn(project, section)))
  // With the settings of several projects it is open which items each is for.
  const isWhole = ({ depth }: Written) => depth < 2 && settings.length === 1
  const sections = [...written].filter(isWhole).sort((a, b) => a.depth - b.depth)
  return {
    roots: documents.filter((document) => !isSettings(document)),
    sections: new Map(sections.map(({ section, state }) => [section, state])),
    notes: written.filter((each) => !isWhole(each) && each.state !== 'on').map(notObeyed),
  }
}

/** The switch of an item: its own in any of the mappings, or that of its section. */
export function switchOf(owners: readonly Part[], section: State | undefined): State {
  const own = owners.flatMap((owner) => [stateOf(configOf(owner)['enabled']), stateOf(owner.data['enabled'])])
  const written = own.filter((state) => state !== undefined)
  return written.find((state) => state !== 'on') ?? written[0] ?? section ?? 'on'
}

export const switchNote = (what: string, state: 'off' | 'expression', place: Place, why = 'dbt has it disabled'): SwitchNote =>
  state === 'off'
    ? { left: true, loss: { kind: 'rewritten', message: `${what} is left out: ${why}.`, place } }
    : {
        left: false,
        loss: {
          kind: 'rewritten',
          message: `${what} is in the model: its 'enabled' is an expression, which only dbt can read.`,
          place,
          hint: 'Write true or false, or convert the semantic_manifest.json that dbt writes.',
        },
      }

interface Written {
  readonly section: Section
  readonly state: State
  readonly depth: number
  readonly path: readonly string[]
  readonly place: Place
}

/** A dbt_project.yml has a name; a file of items has none. */
const isSettings = ({ data }: Part): boolean => typeof data['name'] === 'string' && !Object.hasOwn(data, 'semantic_models')

/** The switches of a section: for all packages, for the project, and for its folders. Other packages are not read. */
function writtenIn(project: Part, section: Section): readonly Written[] {
  const all = project.part(section)
  const name = project.data['name']
  return all ? below(all, section, []).filter(({ path }) => path.length === 0 || path[0] === name) : []
}

const below = (part: Part, section: Section, path: readonly string[]): readonly Written[] =>
  Object.entries(part.data).flatMap(([key, value]): readonly Written[] => {
    const state = key === '+enabled' || key === 'enabled' ? stateOf(value) : undefined
    if (state !== undefined) return [{ section, state, depth: path.length, path, place: part.at(key) }]
    if (key.startsWith('+') || !isMapping(value)) return []
    const inner = part.part(key)
    return inner ? below(inner, section, [...path, key]) : []
  })

const notObeyed = ({ section, path, place }: Written): SwitchNote => ({
  left: false,
  loss: {
    kind: 'refused',
    message: `'enabled' of '${[section, ...path].join(': ')}' is not obeyed: the items of one folder are not known here, and are in the model.`,
    place,
    hint: "Write 'config: { enabled: false }' at each item, or convert the semantic_manifest.json that dbt writes.",
  },
})

function configOf({ data }: Part): Readonly<Record<string, unknown>> {
  const config = Object.hasOwn(data, 'config') ? data['config'] : undefined
  return isMapping(config) ? config : {}
}

/** As dbt reads YAML: `no` and `off` are false, and a template with a constant is this constant. */
function stateOf(value: unknown): State | undefined {
  if (value === undefined || value === null || typeof value === 'object') return undefined
  const word = String(value)
    .replaceAll(/[{}\s]/g, '')
    .toLowerCase()
  if (['true', 'yes', 'on'].includes(word)) return 'on'
  return ['false', 'no', 'off'].includes(word) ? 'off' : 'expression'
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
