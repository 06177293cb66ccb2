import { isSession, type ModelHandle, type ModelService, type Principal } from '@grainline/core/surface'
import type { Startup } from '../handshake/startup.js'
import { fatal } from '../wire/pg-error.js'

/** A model of a connection: a schema with one table of the same name. */
export interface VisibleModel {
  readonly name: string
  readonly handle: ModelHandle
}

/** The database of a connection. */
export interface Database {
  /** The name that the client sees. */
  readonly name: string
  /** Fetches the current models if another worker holds them. */
  readonly reach: () => Promise<void>
  /** The current models of the connection. */
  readonly models: () => readonly VisibleModel[]
  /** The models that a statement may name, as on every surface: its own first, then the other published ones if its own are published. */
  readonly named: () => readonly VisibleModel[]
  /** Every database that accepts connections. */
  readonly all: () => readonly string[]
}

/** Database names that stand for all models. */
const ANY: ReadonlySet<string> = new Set(['postgres', 'grainline', 'template1'])

type Service = Pick<ModelService, 'publishedModels' | 'listModels' | 'reach'>

/**
 * The database of a startup message: a published model by its name, all of them without a name, or the models of a session by its id. Throws `3D000`,
 * which ends the connection.
 */
export async function databaseOf(
  { parameters }: Pick<Startup, 'parameters'>,
  service: Service,
  /** Who asks now: within a transaction a client may ask for somebody else. */
  principal: () => Principal,
): Promise<Database> {
  const user = parameters.get('user') ?? ''
  const asked = parameters.get('database') || user
  const published = () => service.publishedModels(principal()).map((handle) => ({ name: handle.sessionId, handle }))
  const all = () => [...new Set([name, ...published().map((model) => model.name)])]
  const found = named(asked, published())
  const name = found?.name ?? asked
  const nothing = async () => undefined
  if (found) {
    const isOwn = (model: VisibleModel): boolean => model.name === found.name
    const named = () => [...published().filter(isOwn), ...published().filter((model) => !isOwn(model))]
    return { name, all, reach: nothing, models: () => published().filter(isOwn), named }
  }
  const reach = () => service.reach({ sessionId: asked })
  await reach()
  const held = () => modelsOfSession(asked, service, principal())
  if (isSession(asked, service, principal())) return { name, all, reach, models: held, named: held }
  if (asked !== user && !ANY.has(asked)) throw unknown(asked, published())
  return { name, all, reach: nothing, models: published, named: published }
}

function named(asked: string, models: readonly VisibleModel[]): VisibleModel | undefined {
  const same = (given: string | undefined, fold: (text: string) => string) => given !== undefined && fold(given) === fold(asked)
  for (const fold of [(text: string) => text, (text: string) => text.toLowerCase()]) {
    const found = models.filter(({ name, handle }) => same(name, fold) || same(handle.model.name, fold))
    if (found.length === 1) return found[0]
  }
  return undefined
}

/** Models with the same name get numbers. */
function modelsOfSession(id: string, service: Service, principal: Principal): VisibleModel[] {
  const taken = new Map<string, number>()
  return service.listModels(id, principal).map((handle) => {
    const name = handle.model.name ?? 'model'
    const times = (taken.get(name) ?? 0) + 1
    taken.set(name, times)
    return { name: times === 1 ? name : `${name}_${times}`, handle }
  })
}

function unknown(asked: string, models: readonly VisibleModel[]) {
  const names = models.map(({ name }) => name).join(', ')
  return fatal('3D000', `database "${asked}" does not exist`, {
    hint:
      names === ''
        ? 'No model is published here; a session with models is named by its id.'
        : `Models are databases here: ${names}.`,
  })
}
