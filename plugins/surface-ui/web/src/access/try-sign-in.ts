import type { Problem } from '../api/problem.js'
import { problemOf, problemOfError, send } from '../api/send.js'
import type { Settings } from '../api/types.js'
import { isSamePerson, signInWith } from './identity.js'
import { endSignIn } from './sign-in.js'
import { startAnew } from './start-anew.js'

/** What people copy may begin with the word of the header. */
export const cleaned = (entered: string): string => entered.trim().replace(/^bearer\s+/i, '')

/** A header cannot contain other characters. */
const isPlain = (key: string): boolean => /^[\x21-\x7e]+$/.test(key)

/** Signs in with a key or token. A problem if the server does not accept it. */
export async function trySignIn(entered: string): Promise<Problem | undefined> {
  const key = cleaned(entered)
  if (!isPlain(key)) return problem('A key or token has no spaces and no accented letters. Copy all of it, and nothing else.')
  try {
    const response = await send('v1/settings', {}, key)
    if (!response.ok) return await problemOf(response)
    const { principal }: Settings = await response.json()
    signInWith(key)
    if (isSamePerson(principal)) endSignIn(true)
    else startAnew()
    return undefined
  } catch (error) {
    return problemOfError(error)
  }
}

/** How the server proves who somebody is; `undefined` if it does not say. */
export async function authModeOf(): Promise<string | undefined> {
  try {
    const { auth_mode }: { readonly auth_mode?: string } = await (await send('health', {}, undefined)).json()
    return auth_mode
  } catch {
    return undefined
  }
}

const problem = (detail: string): Problem => ({ code: 'AUTH_INVALID', status: 401, detail })
