/**
 * What every authenticator must do, as a function that its own test calls with itself:
 *
 *     authenticatorConformance(t, { authenticator, good: { scheme: 'bearer', value: '…' }, secrets: ['…'] })
 */
import { strict as assert } from 'node:assert'
import { GrainlineError } from '../errors.js'
import type { TestRunner } from '../execute/vendor-conformance.js'
import type { Authenticator, Credential } from '../host/points.js'

/** An authenticator, and a credential that it accepts. */
export interface AuthenticatorUnderTest {
  readonly authenticator: Authenticator
  readonly good: Credential
  /** Texts that must not be in a principal or a message, in addition to the value of `good`. */
  readonly secrets?: readonly string[]
  /** True for an authenticator that accepts all, with or without a credential. */
  readonly open?: boolean
}

/** Runs the tests that every authenticator passes: who is accepted and who is not, and that no secret is revealed. */
export function authenticatorConformance(
  t: TestRunner,
  { authenticator, good, secrets = [], open = false }: AuthenticatorUnderTest,
) {
  const say = (name: string, body: () => Promise<void>) => t.test(`${authenticator.name}: ${name}`, body)
  const kept = [good.value, ...secrets]
  const hides = (text: string) => {
    for (const secret of kept) assert.ok(!text.includes(secret), 'a secret is shown')
  }

  async function refusalOf(credential: Credential | undefined): Promise<GrainlineError> {
    try {
      await authenticator.authenticate(credential)
    } catch (error) {
      assert.ok(error instanceof GrainlineError, `refused by ${error}`)
      return error
    }
    return assert.fail('it was let in')
  }

  say('an accepted client has an id, which is not secret and always the same', async () => {
    const [first, second] = [await authenticator.authenticate(good), await authenticator.authenticate(good)]
    assert.ok(first.id.length > 0)
    assert.equal(first.id, second.id)
    hides(JSON.stringify(first))
  })

  if (open) return

  say('a missing or empty credential is refused with AUTH_REQUIRED', async () => {
    assert.equal((await refusalOf(undefined)).code, 'AUTH_REQUIRED')
    assert.match((await refusalOf({ ...good, value: '' })).code, /^AUTH_(REQUIRED|INVALID)$/)
  })

  say('a nearly correct credential gets the same error as any other wrong one', async () => {
    const { value } = good
    const last = value.at(-1) === 'a' ? 'b' : 'a'
    const wrong = [
      `${value.slice(0, -1)}${last}`,
      value.slice(0, -1),
      `${value}a`,
      'quite another',
      `${value}\0`,
      ' '.repeat(10_000),
    ]
    const refusals = await Promise.all(wrong.map((each) => refusalOf({ ...good, value: each })))
    for (const refusal of refusals) {
      assert.equal(refusal.code, 'AUTH_INVALID')
      assert.equal(refusal.message, refusals[0]!.message)
      hides(refusal.message)
    }
  })

  say('concurrent requests are not mixed up', async () => {
    const bad = { ...good, value: 'quite another' }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => authenticator.authenticate(i % 2 === 0 ? good : bad)),
    )
    assert.ok(outcomes.every(({ status }, i) => status === (i % 2 === 0 ? 'fulfilled' : 'rejected')))
  })
}
