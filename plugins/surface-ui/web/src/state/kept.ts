/** What the browser stores between visits, for each person apart. It is not an error if it stores nothing. */
import { ofPerson } from '../access/identity.js'
import type { ModelRef } from '../api/types.js'
import { type Dashboard, readDashboard } from '../dashboard/dashboard.js'
import type { Query } from '../query/query.js'

export interface Asked {
  readonly model: string
  readonly query: Query
  /** Milliseconds since 1970. */
  readonly at: number
  readonly rows: number
}

const HISTORY = 'grainline.history'
const SESSION = 'grainline.session'
const MOST = 50

export const readHistory = (): readonly Asked[] => read<Asked[]>(() => localStorage, HISTORY + ofPerson()) ?? []

/** The newest first; a repeated query moves to the front. */
export function addToHistory(asked: Asked): readonly Asked[] {
  const same = JSON.stringify(asked.query)
  const kept = [
    asked,
    ...readHistory().filter((each) => each.model !== asked.model || JSON.stringify(each.query) !== same),
  ].slice(0, MOST)
  write(() => localStorage, HISTORY + ofPerson(), kept)
  return kept
}

/** For this tab only: its session, and the models in it. */
export interface OwnSession {
  readonly session: string
  readonly models: readonly ModelRef[]
}

export const readOwnSession = (): OwnSession | undefined => read<OwnSession>(() => sessionStorage, SESSION)
export const writeOwnSession = (own: OwnSession): void => write(() => sessionStorage, SESSION, own)

const TOURED = 'grainline.toured'

export const readToured = (): boolean => read<boolean>(() => localStorage, TOURED) ?? false
export const writeToured = (): void => write(() => localStorage, TOURED, true)

const COLOURED = 'grainline.coloured'

/** Whether numbers are coloured by their size. */
export const readColoured = (): boolean => read<boolean>(() => localStorage, COLOURED) === true
export const writeColoured = (coloured: boolean): void => write(() => localStorage, COLOURED, coloured)

const SOURCE = 'grainline.source.'

/** For a model of this tab: its text, so that it can be loaded again when its session has expired. */
export const readSourceOf = (model: string): string | undefined => read<string>(() => sessionStorage, SOURCE + model)
export const writeSourceOf = (model: string, yaml: string): void => write(() => sessionStorage, SOURCE + model, yaml)

const DRAFT = 'grainline.draft.'
const draftOf = (model: string): string => DRAFT + model + ofPerson()

/** For a model, by its name: changes that are not loaded. */
export const readDraft = (model: string): string | undefined => read<string>(() => localStorage, draftOf(model))
export const writeDraft = (model: string, text: string): void => write(() => localStorage, draftOf(model), text)
export const forgetDraft = (model: string): void => write(() => localStorage, draftOf(model), null)

const DASHBOARD = 'grainline.dashboard.'

/** For a model, by its name: the dashboard that was changed last. */
export const keptDashboard = (model: string): Dashboard | undefined =>
  readDashboard(read<unknown>(() => localStorage, DASHBOARD + model + ofPerson()))
export const keepDashboard = (model: string, dashboard: Dashboard): void =>
  write(() => localStorage, DASHBOARD + model + ofPerson(), dashboard)

function read<T>(storage: () => Storage, key: string): T | undefined {
  try {
    return JSON.parse(storage().getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

function write(storage: () => Storage, key: string, value: unknown): void {
  try {
    storage().setItem(key, JSON.stringify(value))
  } catch {
    // Storage is full or disabled.
  }
}
