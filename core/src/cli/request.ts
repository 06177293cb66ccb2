/** A client for a running service. */
import { GrainlineError } from '../errors.js'
import { type CommandIo, readArguments, UsageError } from './command.js'
import { writeBytes } from './output/write-bytes.js'
import { readValue } from './read-input.js'
import { fetchWithTls } from './target/fetch-with-tls.js'
import { type ServerAccess, serverAccess, serverFlags } from './target/target-flags.js'

export const flags = { ...serverFlags, 'server-ca': { type: 'string' }, data: { type: 'string' } } as const
const DEFAULT_SERVER = 'http://localhost:8000'

/** `request METHOD PATH [--server URL] [--data JSON|@file]`: prints the response unchanged. Exit code 1 if the server returns an error. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  const [method, where, ...more] = positionals
  if (method === undefined || where === undefined || more.length > 0) throw new UsageError('request takes a method and a path')
  const { 'server-ca': ca, data, ...given } = values
  const server = given.server ?? (io.env.GRAINLINE_SERVER || DEFAULT_SERVER)
  const access = await serverAccess({ ...given, server, ca: given.ca ?? ca }, io)
  const body = data === undefined ? undefined : await readValue(data, io)
  const response = await send(access!, { method: method.toUpperCase(), where, body }, io)
  const refused = response.status >= 400
  const stdout = refused ? io.stderr : io.stdout
  if (response.body !== null) await writeBytes(response.body, { ...io, stdout })
  stdout.write('\n')
  return refused ? 1 : 0
}

interface Sent {
  readonly method: string
  readonly where: string
  readonly body: string | undefined
}

async function send(
  { baseUrl, apiKey, apiKeyHeader, tls }: ServerAccess,
  { method, where, body }: Sent,
  io: CommandIo,
): Promise<Response> {
  const headers = {
    ...(apiKey !== undefined &&
      (apiKeyHeader === undefined ? { authorization: `Bearer ${apiKey}` } : { [apiKeyHeader]: apiKey })),
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  }
  const signal = io.interrupted?.()
  const url = `${baseUrl}/${where.replace(/^\//, '')}`
  try {
    return await fetchWithTls(tls)(url, { method, headers, ...(body !== undefined && { body }), ...(signal && { signal }) })
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    throw unreachable(baseUrl, cause as NodeJS.ErrnoException)
  }
}

function unreachable(server: string, cause: NodeJS.ErrnoException): GrainlineError {
  // Node tries every address of a name and collects the errors.
  const reasons = cause instanceof AggregateError ? cause.errors.map((error: Error) => error.message) : [cause.message]
  return new GrainlineError('SERVER_UNREACHABLE', `${server} cannot be reached: ${[...new Set(reasons)].join('; ')}`, { cause })
}
