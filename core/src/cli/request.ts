/** A client for a service that runs elsewhere. */
import { readFile } from 'node:fs/promises'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { fail, GrainlineError } from '../errors.js'
import { lookup, readEnvironment } from '../settings.js'
import { type CommandIo, UsageError } from './command.js'

const flags = {
  server: { type: 'string', default: 'http://localhost:8000' },
  data: { type: 'string' },
  'client-cert': { type: 'string' },
  'client-key': { type: 'string' },
  'server-ca': { type: 'string' },
} as const

/**
 * `request METHOD PATH [--server URL] [--data JSON|@file] [--client-cert FILE --client-key FILE] [--server-ca FILE]`: the answer as it
 * comes. The key is that of `SVC_API_KEY`. Exit code 1 when the server refuses.
 */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = parseArgs({ args, options: flags, strict: true, allowPositionals: true })
  const [method, where, ...more] = positionals
  if (method === undefined || where === undefined || more.length > 0) throw new UsageError('request takes a method and a path')
  const url = urlOf(values.server, where)
  const key = lookup(readEnvironment({ env: io.env, dotenv: io.cwd }), 'SVC_API_KEY')
  const body = values.data === undefined ? undefined : await dataOf(values.data, io.cwd)
  const headers = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  const response = await send(url, { method: method.toUpperCase(), headers, ...(await tlsOf(values, io.cwd)) }, body)
  const refused = (response.statusCode ?? 500) >= 400
  const output = refused ? io.stderr : io.stdout
  response.setEncoding('utf8')
  for await (const piece of response) {
    if (io.unread?.aborted) return 0
    output.write(piece as string)
  }
  output.write('\n')
  return refused ? 1 : 0
}

function urlOf(server: string, where: string): URL {
  const base = URL.canParse(server) ? new URL(server) : undefined
  if (base === undefined || !/^https?:$/.test(base.protocol))
    throw new UsageError(`--server is an http or https URL, not '${server}'`)
  return new URL(`${base.href.replace(/\/$/, '')}/${where.replace(/^\//, '')}`)
}

async function dataOf(data: string, cwd: string): Promise<string> {
  return data.startsWith('@') ? (await read(data.slice(1), cwd)).toString('utf8') : data
}

type Files = { readonly [K in 'client-cert' | 'client-key' | 'server-ca']?: string | undefined }

async function tlsOf({ 'client-cert': cert, 'client-key': key, 'server-ca': ca }: Files, cwd: string) {
  if ((cert === undefined) !== (key === undefined)) throw new UsageError('--client-cert and --client-key go together')
  return {
    ...(cert !== undefined && { cert: await read(cert, cwd) }),
    ...(key !== undefined && { key: await read(key, cwd) }),
    ...(ca !== undefined && { ca: await read(ca, cwd) }),
  }
}

async function read(file: string, cwd: string): Promise<Buffer> {
  try {
    return await readFile(path.resolve(cwd, file))
  } catch (cause) {
    return fail('INVALID_REQUEST', `${file} cannot be read: ${(cause as Error).message}`, { path: file, cause })
  }
}

function send(url: URL, options: https.RequestOptions, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, { ...options, agent: false }, resolve)
    request.on('error', (cause) => reject(unreachable(url, cause)))
    request.end(body)
  })
}

function unreachable({ origin }: URL, cause: NodeJS.ErrnoException): GrainlineError {
  // Node tries every address of a name and gathers what went wrong.
  const reasons = cause instanceof AggregateError ? cause.errors.map((error: Error) => error.message) : [cause.message]
  return new GrainlineError('SERVER_UNREACHABLE', `${origin} cannot be asked: ${[...new Set(reasons)].join('; ')}`, { cause })
}
