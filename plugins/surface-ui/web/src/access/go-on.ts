import type { Problem } from '../api/problem.js'
import { ApiError, askPage, problemOf, send } from '../api/send.js'
import type { Settings } from '../api/types.js'
import { credential, endLogin, isSamePerson, login, signInWith } from './identity.js'
import { type Answered, loginOf } from './login-of.js'
import type { Login } from './person-in-tab.js'
import { startAnew } from './start-anew.js'

let going: Promise<Problem | undefined> | undefined

/**
 * Changes the refresh token for a new token, once for all requests that were `refused` with the same one. A problem if the provider has ended the login, so
 * that the person signs in again. Throws if the provider cannot be asked: the next request tries again.
 */
export async function goOn(sent: string | undefined, refused: Problem): Promise<Problem | undefined> {
  // Another request may have been here in the meantime.
  if (credential() !== sent) return undefined
  const before = login()
  if (before?.refresh === undefined) return refused
  going ??= refreshed(before).finally(() => {
    going = undefined
  })
  return going
}

async function refreshed(before: Login): Promise<Problem | undefined> {
  const response = await askPage('sign-in', { refresh: before.refresh })
  if (!response.ok) return ended(await problemOf(response))
  const answered: Answered = await response.json()
  // Most providers accept a refresh token once, so the next one is kept whatever the server says of the token.
  signInWith(answered.token, loginOf(answered, before))
  const settings = await send('v1/settings', {}, answered.token)
  if (!settings.ok) return ended(await problemOf(settings))
  const { principal }: Settings = await settings.json()
  // Roles may be others now.
  if (!isSamePerson(principal)) startAnew()
  return undefined
}

function ended(problem: Problem): Problem {
  if (problem.status !== 401) throw new ApiError(problem)
  endLogin()
  return problem
}
