/** The options of a session. They are in an encrypted cookie, because the server keeps no sessions. */
import { GrainlineError } from '@grainline/core'
import type { ModelService } from '@grainline/core/surface'
import { flight, type ValueOf } from '@grainline/flight-sql'
import type { Sealer } from '../access/sealer.js'
import { type CallContext, headerOf } from '../server/context.js'
import { chooseModel } from '../statements/choose-model.js'

/** Both options name the model. */
const NAMES = ['catalog', 'schema'] as const
type Name = (typeof NAMES)[number]
type Options = Partial<Record<Name, string>>

/** What a cookie has. Its options are there only for the principal that set them. */
interface Kept {
  readonly owner: string
  readonly options: Options
}

const COOKIE = 'arrow_flight_session_id'

export interface SessionOptions {
  /** The name of the model that was set for the session. */
  modelOf(context: Pick<CallContext, 'metadata' | 'principal'>): string | undefined
  set(request: ValueOf<typeof flight.setSessionOptionsRequest>, context: CallContext): Promise<Uint8Array>
  get(context: CallContext): Uint8Array
  close(context: CallContext): Uint8Array
}

type Service = Pick<ModelService, 'resolveModel' | 'listModels' | 'reach'>

export function sessionOptions(sealer: Sealer, service: Service): SessionOptions {
  function read({ metadata, principal }: Pick<CallContext, 'metadata' | 'principal'>): Options {
    const sealed = cookiesOf(headerOf(metadata, 'cookie') ?? '').get(COOKIE)
    if (sealed === undefined) return {}
    const opened = sealer.open<Kept>('session', Buffer.from(sealed, 'base64url'))
    return opened.kind === 'open' && opened.value.owner === principal.id ? { ...opened.value.options } : {}
  }

  function write(options: Options, { answerMetadata, principal }: CallContext): void {
    const kept: Kept = { owner: principal.id, options }
    answerMetadata.set('set-cookie', `${COOKIE}=${sealer.seal('session', kept).toString('base64url')}; Path=/; HttpOnly`)
  }

  return {
    modelOf(context) {
      const { catalog, schema } = read(context)
      return catalog ?? schema
    },
    async set({ sessionOptions: given = new Map() }, context) {
      const options = read(context)
      const errors = new Map<string, { readonly value: number }>()
      for (const [name, value] of given) {
        const refused = await put(options, name, value, (model) => isModel(model, service, context.principal))
        if (refused !== undefined) errors.set(name, { value: refused })
      }
      write(options, context)
      return flight.setSessionOptionsResult.encode({ errors })
    },
    get(context) {
      const told = Object.entries(read(context)).map(([name, stringValue]) => [name, { stringValue }] as const)
      return flight.getSessionOptionsResult.encode({ sessionOptions: new Map(told) })
    },
    close({ answerMetadata }) {
      answerMetadata.set('set-cookie', `${COOKIE}=; Path=/; HttpOnly; Max-Age=0`)
      return flight.closeSessionResult.encode({ status: flight.CLOSE_STATUS.closed })
    },
  }
}

/** Sets or removes an option, or returns an error code. */
async function put(
  options: Options,
  name: string,
  given: flight.SessionOptionValue | undefined,
  isKnown: (model: string) => Promise<boolean>,
): Promise<number | undefined> {
  const known = NAMES.find((each) => each === name)
  if (known === undefined) return flight.SESSION_ERROR.invalidName
  const { stringValue, ...others } = given ?? {}
  if (Object.keys(others).length > 0) return flight.SESSION_ERROR.invalidValue
  if (stringValue === undefined || stringValue === '') delete options[known]
  else if (await isKnown(stringValue)) options[known] = stringValue
  else return flight.SESSION_ERROR.invalidValue
  return undefined
}

async function isModel(name: string, service: Service, principal: CallContext['principal']): Promise<boolean> {
  try {
    return (await chooseModel(name, service, principal)) !== undefined
  } catch (error) {
    if (error instanceof GrainlineError) return false
    throw error
  }
}

function cookiesOf(header: string): ReadonlyMap<string, string> {
  const pairs = header.split(';').map((pair) => pair.trim().split('='))
  return new Map(pairs.map(([name = '', ...value]) => [name, value.join('=').replace(/^"(.*)"$/, '$1')]))
}
