import { fail, type Settings } from '@grainline/core'

/** How clients authenticate: not at all, by a key of the service, or by the token of the deprecated mode. */
export type AuthMethod =
  | { readonly kind: 'none' }
  | { readonly kind: 'service' }
  | { readonly kind: 'token'; readonly token: string }

type Modes = Pick<Settings, 'AUTH_MODE' | 'FLIGHT_AUTH_MODE' | 'FLIGHT_API_TOKEN'>

/** `AUTH_MODE` takes precedence over the deprecated mode. Throws `INVALID_VARIABLE` if a token is required but not set. */
export function authMethod({ AUTH_MODE, FLIGHT_AUTH_MODE, FLIGHT_API_TOKEN }: Modes): AuthMethod {
  if (AUTH_MODE !== 'none') return { kind: 'service' }
  if (FLIGHT_AUTH_MODE === 'none') return { kind: 'none' }
  if (FLIGHT_API_TOKEN !== undefined) return { kind: 'token', token: FLIGHT_API_TOKEN }
  return fail(
    'INVALID_VARIABLE',
    'FLIGHT_AUTH_MODE=token needs FLIGHT_API_TOKEN: set it, or set AUTH_MODE=api_key and API_KEYS',
    {
      path: 'FLIGHT_API_TOKEN',
    },
  )
}
