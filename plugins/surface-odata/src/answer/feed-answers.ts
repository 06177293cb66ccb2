import { Readable } from 'node:stream'
import { valueAt } from '@grainline/core/format'
import { clientGone, principalOf, type QueryTarget, type SqlExecution } from '@grainline/core/surface'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ODataContext } from '../context.js'
import type { EntitySet } from '../names/entity-set.js'
import type { QueryOptions } from '../query/options.js'
import { countOf, pageOf, type Statement } from '../statement/page.js'
import { contentTypeOf, jsonFormOf } from './media-type.js'
import { answerKey, pageBody } from './page-body.js'

/** A request for the rows of a set. */
export interface SetRequest {
  readonly feed: { readonly target: QueryTarget }
  readonly set: EntitySet
  /** The address of the feed. */
  readonly root: string
  readonly options: QueryOptions
  /** The options as given, for the address of the next page. */
  readonly url: Readonly<Record<string, unknown>>
}

type Answer = (asked: SetRequest, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Answers requests for rows, and for their number. */
export function feedAnswers({ service, settings, pageRows }: ODataContext): { readonly rows: Answer; readonly count: Answer } {
  const execute = (
    statement: Statement,
    target: QueryTarget,
    request: FastifyRequest,
    signal: AbortSignal,
  ): Promise<SqlExecution> =>
    service.executeSql(
      {
        asker: { principal: principalOf(request), surface: 'odata', requestId: request.id, address: request.ip },
        target,
        ...statement,
      },
      {
        signal,
        timeoutMs: settings.REST_QUERY_TIMEOUT_SECONDS * 1000,
        timeoutSetting: 'REST_QUERY_TIMEOUT_SECONDS',
        defaultLimit: 'none',
      },
    )
  const numberOf = async (...[statement, target, request, signal]: Parameters<typeof execute>) => {
    const { batches, schema } = await execute(statement, target, request, signal)
    for await (const batch of batches) if (batch.rowCount > 0) return Number(valueAt(batch.columns[0]!, 0, schema[0]!.type))
    return 0
  }

  const rows: Answer = async (asked, request, reply) => {
    const { feed, set, root, options, url } = asked
    const form = jsonFormOf(request)
    const signal = clientGone(request, reply.raw)()
    const length = Math.min(pageRows, preferredRows(request) ?? pageRows)
    const page = pageOf(set, options, length)
    const count = page.count && (await numberOf(page.count, feed.target, request, signal))
    const { batches, outcome } = await execute(page.rows, feed.target, request, signal)
    const isWhole = options.apply.length === 0 && options.select === undefined
    const head = {
      ...(form.metadata !== 'none' && { '@odata.context': contextOf(root, set, isWhole ? [] : page.names) }),
      ...(count !== undefined && { '@odata.count': count }),
    }
    const body = pageBody({
      batches,
      names: page.names,
      form,
      pageRows: page.pageRows,
      head,
      key: isWhole ? { answer: answerKey(JSON.stringify([page.rows.sql, url])), before: page.before } : undefined,
      warnings: () => (form.metadata === 'none' ? [] : outcome().warnings),
      next: () => nextPage(asked, page.before + page.pageRows),
    })
    return reply.type(contentTypeOf(form)).send(Readable.from(body, { objectMode: false }))
  }

  const count: Answer = async ({ feed, set, options }, request, reply) => {
    const number = await numberOf(countOf(set, options), feed.target, request, clientGone(request, reply.raw)())
    return reply.type('text/plain; charset=utf-8').send(String(number))
  }
  return { rows, count }
}

/** `Prefer: odata.maxpagesize=N` (Part 1, 8.2.8.6). */
function preferredRows({ headers }: FastifyRequest): number | undefined {
  const wanted = /(?:^|[,; ])(?:odata\.)?maxpagesize=(\d{1,9})(?:$|[,; ])/i.exec(String(headers.prefer ?? ''))?.[1]
  return wanted === undefined || Number(wanted) === 0 ? undefined : Number(wanted)
}

/** `names` are the properties of the rows if they are not all of the set. */
const contextOf = (root: string, { name }: EntitySet, names: readonly string[]): string =>
  `${root}/$metadata#${name}${names.length > 0 ? `(${names.join(',')})` : ''}`

function nextPage({ root, set, url }: SetRequest, rows: number): string {
  const kept = Object.entries(url).filter(([key]) => key.replace(/^\$/, '').toLowerCase() !== 'skiptoken')
  const options = [...kept.map(([key, value]) => [key, String(value)]), ['$skiptoken', String(rows)]]
  const query = options
    .map(([key, value]) => `${encodeURIComponent(key!).replace('%24', '$')}=${encodeURIComponent(value!)}`)
    .join('&')
  return `${root}/${encodeURIComponent(set.name)}?${query}`
}
