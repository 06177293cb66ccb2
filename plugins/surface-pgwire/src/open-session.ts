/** Opens the session of an authenticated client, with the settings of its startup message. */
import type { Settings } from '@grainline/core'
import {
  clientOf,
  type DiscoveryService,
  type ModelService,
  onBehalfOf,
  type Principal,
  refuseEnded,
  type SqlService,
  type SurfaceContext,
} from '@grainline/core/surface'
import { noCatalog } from './answers/answer.js'
import { type CatalogContext, catalogAnswerer, type KeptAnswers, tryTemporary } from './answers/catalog-answerer.js'
import { questionAnswerer } from './answers/question-answerer.js'
import { routeOf, router } from './answers/router.js'
import { withProbes } from './answers/with-probes.js'
import type { Catalog } from './catalog/catalog.js'
import { identifier } from './catalog/view-sql.js'
import type { Client } from './connection.js'
import { isNaming, ON_BEHALF_OF_OPTION, type Startup, settingsIn } from './handshake/startup.js'
import { viewOf } from './models/view-of.js'
import { type Database, databaseOf } from './models/visible-models.js'
import { KNOWN_SETTINGS } from './session/known-settings.js'
import { Session, type SessionServices } from './session/session.js'
import type { Wire } from './wire/wire.js'

/** The part of the service that the Postgres wire uses. */
export type PgwireService = ModelService & DiscoveryService & SqlService

interface SessionContext extends Pick<SurfaceContext<PgwireService>, 'service' | 'logger'> {
  readonly settings: Settings
  readonly catalog: Catalog | undefined
  readonly kept: KeptAnswers
}

/** Throws for an unknown database or setting. */
export async function openSession(client: Client, context: SessionContext): Promise<Session> {
  const { wire, startup, principal } = client
  const { service, settings } = context
  let now = (): Principal => principal
  const database = await databaseOf(startup, service, () => now())
  const limits = { queryTimeoutMs: settings.PGWIRE_QUERY_TIMEOUT_SECONDS * 1000 }
  const parameters = () => database.named().flatMap(({ handle }) => [...handle.model.parameters.keys()])
  const services = (own: Session) => {
    now = actingIn(own, principal)
    return servicesOf(own, { database, now }, client, context)
  }
  const checkActing = (named: string): void => void onBehalfOf(principal, named)
  const session = new Session(wire, limits, context.logger, services, parameters, checkActing)
  begin(session, startup, database, wire)
  return session
}

/** The principal of the connection, or the one for whom its transaction asks. */
function actingIn({ settings }: Session, principal: Principal): () => Principal {
  let latest = { named: undefined as string | undefined, principal }
  return () => {
    const named = settings.get(ON_BEHALF_OF_OPTION)
    if (named !== latest.named) latest = { named, principal: onBehalfOf(principal, named) }
    return latest.principal
  }
}

/** What an earlier statement opened, such as a cursor, ends with its principal. */
function idOf(principal: Principal): string {
  refuseEnded(principal)
  return principal.id
}

interface Asking {
  readonly database: Database
  readonly now: () => Principal
}

function servicesOf(
  session: Session,
  { database, now }: Asking,
  { startup, key, address }: Client,
  context: SessionContext,
): SessionServices {
  const { service, catalog, kept } = context
  const catalogContext: CatalogContext | undefined = catalog && {
    catalog,
    client: () => clientOf({ principal: now(), address }),
    principal: () => now().id,
    kept,
    settings: session.settings,
    view: async () => {
      await database.reach()
      return viewOf(database, service)
    },
    temporary: () => session.temporary.statements,
  }
  const probes = {
    settings: session.settings,
    database: database.name,
    user: startup.parameters.get('user') ?? '',
    processId: key.processId,
    schema: () => currentSchema(session.settings.get('search_path') ?? '', schemasOf(database)),
  }
  return {
    principal: () => idOf(now()),
    answerer: router({
      route: async (statement) => {
        await database.reach()
        return routeOf(statement, database, session.temporary)
      },
      question: questionAnswerer({
        service,
        database,
        settings: session.settings,
        asker: () => ({ principal: now(), surface: 'pgwire', address }),
      }),
      catalog: withProbes(probes, catalogContext ? catalogAnswerer(catalogContext) : noCatalog),
    }),
    tryTemporary: (text, signal) => tryTemporary(text, catalogContext, signal),
  }
}

/** Applies the settings of a startup message and of its `options`. */
function begin({ settings }: Session, startup: Startup, database: Database, wire: Wire): void {
  settings.tell('session_authorization', startup.parameters.get('user') ?? '')
  settings.tell('ssl', wire.encrypted ? 'on' : 'off')
  settings.tell('search_path', [...schemasOf(database).map(spelled), 'public'].join(', '))
  // Drivers send parameters that are no settings. One with a dot is nothing else.
  const isSetting = (name: string): boolean => KNOWN_SETTINGS.has(name.toLowerCase()) || name.includes('.')
  for (const [name, value] of settingsIn(startup, isSetting)) if (!isNaming(name)) settings.begin(name, value)
}

/** The first existing schema of a search path, or `undefined`. */
function currentSchema(searchPath: string, schemas: readonly string[]): string | undefined {
  const there = new Set([...schemas, 'public', 'pg_catalog', 'information_schema'])
  const names = searchPath.split(',').map((part) =>
    part
      .trim()
      .replace(/^"(.*)"$/s, '$1')
      .replaceAll('""', '"'),
  )
  return names.find((name) => there.has(name))
}

const schemasOf = (database: Database): string[] => database.models().map(({ name }) => name)
const spelled = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : identifier(name))
