/** Exchanges a password, or a SCRAM proof of it. Every failure looks the same to the client. */

import { GrainlineError, messageOf } from '@grainline/core'
import type { Principal } from '@grainline/core/surface'
import { AUTHENTICATION, BACKEND, FRONTEND } from '../wire/codes.js'
import { MessageReader } from '../wire/message-reader.js'
import { authentication } from '../wire/messages.js'
import { fatal } from '../wire/pg-error.js'
import type { Wire } from '../wire/wire.js'
import type { AuthPlan } from './auth-plan.js'
import { beginScram, SCRAM, SCRAM_PLUS, type ScramExchange, type ScramKeys } from './scram.js'

/** The size limit of messages before authentication, as in PostgreSQL. */
const MOST_AUTH_BYTES = 65_535

/** The authenticated client. Rejects with the error that ends the connection. */
export async function authenticate(wire: Wire, plan: AuthPlan, user: string): Promise<Principal> {
  switch (plan.method) {
    case 'trust':
      return { id: 'anonymous' }
    case 'password':
      return askPassword(wire, plan.authenticate, user)
    case 'scram':
      return askProof(wire, plan.keys, user)
  }
}

async function askPassword(
  wire: Wire,
  judge: (AuthPlan & { method: 'password' })['authenticate'],
  user: string,
): Promise<Principal> {
  authentication(wire.out, AUTHENTICATION.cleartextPassword)
  const reader = await response(wire)
  const value = reader.cstring()
  try {
    return await judge({ scheme: 'password', value })
  } catch (error) {
    if (error instanceof GrainlineError && error.status === 401) throw refused(user)
    throw error
  }
}

async function askProof(wire: Wire, keys: ScramKeys, user: string): Promise<Principal> {
  const binding = wire.encrypted?.certificateHash
  const offered = binding === undefined ? [SCRAM] : [SCRAM_PLUS, SCRAM]
  wire.out.begin(BACKEND.authentication)
  wire.out.int32(AUTHENTICATION.sasl)
  for (const mechanism of offered) wire.out.cstring(mechanism)
  wire.out.int8(0)
  wire.out.end()
  const first = await response(wire)
  const mechanism = first.cstring()
  if (!offered.includes(mechanism)) throw fatal('08P01', 'client selected an invalid SASL authentication mechanism')
  const exchange = begun(mechanism, first.bytes(Math.max(0, first.int32())).toString('utf8'), keys, binding)
  authentication(wire.out, AUTHENTICATION.saslContinue, exchange.message)
  const final = await response(wire)
  const outcome = exchange.finish(final.bytes(final.left).toString('utf8'))
  if (!outcome.proven) throw refused(user)
  authentication(wire.out, AUTHENTICATION.saslFinal, outcome.message)
  return outcome.principal
}

function begun(mechanism: string, message: string, keys: ScramKeys, binding: Buffer | undefined): ScramExchange {
  try {
    return beginScram(mechanism, message, keys, binding)
  } catch (cause) {
    throw fatal('08P01', 'malformed SCRAM message', { detail: `${messageOf(cause)}.` })
  }
}

async function response(wire: Wire): Promise<MessageReader> {
  await wire.out.flush()
  const tooLong = () => fatal('08P01', 'invalid length of password response')
  const { code, body } = await wire.input.readMessage(MOST_AUTH_BYTES, tooLong)
  if (code !== FRONTEND.password) throw fatal('08P01', 'expected password response')
  return new MessageReader(body)
}

/** A wrong key, a wrong proof and an unknown user get the same message, so that a client cannot probe them. */
const refused = (user: string) =>
  fatal('28P01', `password authentication failed for user "${user}"`, {
    hint: 'The password is the API key, or a token that has not expired; the user name does not matter.',
  })
