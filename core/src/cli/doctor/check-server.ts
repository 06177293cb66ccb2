import { ApiError, type Client } from '@grainline/client'
import { firstOf } from '../../invariant.js'
import type { ServerAccess } from '../target/target-flags.js'
import { clientOf } from '../target/with-target.js'
import { type Check, fault, ok, remark } from './check.js'

/** Checks a running server as a client sees it. */
export async function* checkServer(access: ServerAccess, signal: AbortSignal | undefined): AsyncGenerator<Check> {
  const client = clientOf(access)
  const health = await tried(() => json<{ readonly version: string; readonly auth_mode: string }>(client, '/health', signal))
  if ('error' in health) {
    yield fault('server', health.error.message, fixOf(health.error, access))
    return
  }
  yield ok('server', `${access.baseUrl} runs Grainline ${health.value.version}`)
  const encrypted = access.baseUrl.startsWith('https:') || /\/\/(localhost|127\.0\.0\.1|\[::1\])/.test(access.baseUrl)
  if (!encrypted)
    yield remark(
      'transport',
      'is not encrypted: keys and answers can be read on the way',
      'Set API_TLS_CERT and API_TLS_KEY on the server.',
    )
  const settings = await tried(() => json<Readonly<Record<string, unknown>>>(client, '/v1/settings', signal))
  if ('error' in settings) {
    yield fault('access', settings.error.message, fixOf(settings.error, access))
    return
  }
  yield ok('access', `AUTH_MODE=${health.value.auth_mode}${access.apiKey === undefined ? '' : ', the key is accepted'}`)
  const models = await client.models({ signal })
  yield models.length === 0
    ? remark('models', 'none is published', 'Set MODEL_FILES on the server, or ask with a model file.')
    : ok('models', models.map(({ name }) => name).join(', '))
  for (const { name } of models) yield await databaseCheck(client, name, signal)
}

/** Whether the tables of a published model exist. */
async function databaseCheck(client: Client, model: string, signal: AbortSignal | undefined): Promise<Check> {
  const what = `database of ${model}`
  const asking = () => client.send({ method: 'POST', path: '/v1/verify/tables', url: { model } }, { signal })
  const checked = await tried(
    async () =>
      (await (await asking()).json()) as {
        readonly findings: readonly { readonly message: string; readonly hint?: string; readonly severity: string }[]
      },
  )
  if ('error' in checked) {
    const { code, message, problem } = checked.error
    return code === 'EXECUTION_DISABLED' ? remark(what, message) : fault(what, message, problem.hint)
  }
  const wrong = checked.value.findings.filter(({ severity }) => severity === 'error')
  return wrong.length === 0
    ? ok(what, 'answers, and has every table and column')
    : fault(what, wrong.map(({ message }) => message).join('; '), firstOf(wrong).hint)
}

async function tried<T>(ask: () => Promise<T>): Promise<{ readonly value: T } | { readonly error: ApiError }> {
  try {
    return { value: await ask() }
  } catch (error) {
    if (error instanceof ApiError) return { error }
    throw error
  }
}

const json = async <T>(client: Client, path: string, signal: AbortSignal | undefined): Promise<T> =>
  (await (await client.send({ method: 'GET', path }, { signal })).json()) as T

function fixOf({ status, code, problem }: ApiError, { apiKey, tls }: ServerAccess): string | undefined {
  if (status === 401)
    return apiKey === undefined
      ? 'Give its key with GRAINLINE_API_KEY or --api-key.'
      : 'The key is not one of the API_KEYS of the server.'
  if (code !== 'SERVER_UNREACHABLE') return problem.hint
  if (/certificate|self.signed|issuer/i.test(problem.detail)) return 'Name the certificate of its CA with --ca.'
  if (/alert|handshake/i.test(problem.detail) && tls.cert === undefined)
    return 'It may want a client certificate: --client-cert and --client-key.'
  return 'Start the server, or correct the address.'
}
