import { GrainlineError, type Static } from '@grainline/core'
import { clientGone, clientIp } from '@grainline/core/surface'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Execution, RestContext, Service } from '../context.js'
import { compileBody } from '../describe/compile-response.js'
import { executeResponse } from '../describe/execute-response.js'
import { compressAnswers } from '../http/compress.js'
import { MODEL_BODY_LIMIT } from '../http/json-body.js'
import { askerOf, targetOf } from '../http/target.js'
import { timed } from '../http/timing.js'
import { BatchRequest, BatchResponse } from '../schemas/batch.js'
import { answers } from '../schemas/common.js'

/** The limit for all answers of a batch together, which are held until the last one is complete. */
const MOST_BYTES = 64 * 1024 * 1024

type Answer = Awaited<ReturnType<Service['batch']>>

export async function batchRoutes(parent: FastifyInstance, { service, settings }: RestContext): Promise<void> {
  const schema = {
    summary: 'Ask many questions of one model',
    tags: ['queries'],
    body: BatchRequest,
    response: answers(200, BatchResponse),
  }
  const run = async (request: FastifyRequest<{ Body: Static<typeof BatchRequest> }>, reply: FastifyReply) => {
    const { body } = request
    const answer = await timed(reply, 'batch', () =>
      service.batch<string>(
        {
          asker: askerOf(request),
          client: clientIp(request, settings.TRUSTED_PROXY_COUNT),
          target: targetOf(body),
          modelYaml: body.model_yaml ?? undefined,
          persistModel: body.persist_model ?? false,
          queries: body.queries.map(({ id, query, execute, dialect }) => ({
            query,
            id: id ?? undefined,
            execute: execute ?? undefined,
            dialect: dialect ?? undefined,
          })),
          dialect: body.dialect ?? undefined,
          execute: body.execute ?? false,
          maxParallelism: body.max_parallelism ?? undefined,
          failFast: body.fail_fast ?? false,
          dedup: body.dedup ?? true,
        },
        reader(),
        clientGone(request, reply.raw)(),
      ),
    )
    return reply.type('application/json; charset=utf-8').send(textOf(answer))
  }
  await parent.register(async (app) => {
    compressAnswers(app)
    app.post<{ Body: Static<typeof BatchRequest> }>('/oneshot/batch', { schema, bodyLimit: MODEL_BODY_LIMIT }, run)
  })
}

/** Reads answers as JSON, up to the limit of the batch. */
function reader(): (execution: Execution) => Promise<string> {
  let held = 0
  return async (execution) => {
    const pieces: Buffer[] = []
    for await (const piece of executeResponse(execution)) {
      pieces.push(Buffer.from(piece))
      held += piece.length
      if (held > MOST_BYTES) {
        throw new GrainlineError(
          'PAYLOAD_TOO_LARGE',
          `The answers of the batch are larger than ${MOST_BYTES / 2 ** 20} MiB together`,
          {
            hint: 'Send this query alone, or set a limit.',
          },
        )
      }
    }
    return Buffer.concat(pieces).toString()
  }
}

/** The response as text. The answers are already JSON text, and are inserted unchanged. */
function textOf({ results, ...batch }: Answer): string {
  const head = {
    session_id: batch.sessionId ?? null,
    model_id: batch.modelId ?? null,
    model_persisted: batch.modelPersisted,
    model_load: batch.modelLoad,
    batch_warnings: batch.warnings,
  }
  return `${JSON.stringify(head).slice(0, -1)},"results":[${results.map(resultText).join(',')}]}`
}

function resultText(result: Answer['results'][number]): string {
  const { id, status, executed } = result
  const head = JSON.stringify({ id, status, executed }).slice(0, -1)
  if (result.status !== 'ok') return `${head},"error":${JSON.stringify(result.error)}}`
  const fields = result.executed ? String(result.answer) : compileBody(result.compiled).toString()
  return `${head},${fields.slice(1)}`
}
