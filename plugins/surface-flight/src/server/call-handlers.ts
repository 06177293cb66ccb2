/** The common part of all calls: authentication, the deadline, and error reports. */
import { GrainlineError, type Logger } from '@grainline/core'
import type { Principal } from '@grainline/core/surface'
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js'
import { askerOf, type CallContext } from './context.js'
import { type Outlet, outlet, type Sendable } from './outlet.js'
import { FlightError, toStatus } from './status.js'

/** What a call shows of its client. */
export interface Asking {
  readonly metadata: Metadata
  getPeer(): string
}

export interface Handling {
  readonly admit: (call: Asking) => Promise<Principal>
  readonly logger: Logger
}

/** A call with one request and one response. */
export function unary(
  work: (request: Buffer, context: CallContext) => Promise<Uint8Array>,
  { admit, logger }: Handling,
): handleUnaryCall<Buffer, Uint8Array> {
  return (call, answer) => {
    const run = async () => {
      const context = contextOf(call, await admit(call))
      const reply = await work(call.request, context)
      call.sendMetadata(context.answerMetadata)
      return reply
    }
    run().then(
      (reply) => answer(null, reply),
      (error: unknown) => answer(toStatus(error, logger)),
    )
  }
}

/** A call with one request and a stream of responses, which are sent as fast as the client reads. */
export function streaming(
  work: (request: Buffer, context: CallContext, out: Outlet) => Promise<void>,
  { admit, logger }: Handling,
): handleServerStreamingCall<Buffer, Sendable> {
  return (call) => {
    const run = async () => {
      const context = contextOf(call, await admit(call))
      const out = outlet(call, context.signal)
      let begun = false
      const begin = () => {
        if (!begun) call.sendMetadata(context.answerMetadata)
        begun = true
      }
      await work(call.request, context, {
        send(message) {
          begin()
          return out.send(message)
        },
      })
      begin()
    }
    run().then(
      () => call.end(),
      (error: unknown) => call.emit('error', toStatus(error, logger)),
    )
  }
}

type Call = ServerUnaryCall<Buffer, Uint8Array> | ServerWritableStream<Buffer, Sendable> | ServerDuplexStream<Buffer, Uint8Array>

type Ending = Pick<Call, 'metadata' | 'cancelled' | 'getDeadline' | 'getPeer'> & {
  on(event: 'cancelled', heard: () => void): unknown
}

export function contextOf(call: Ending, principal: Principal): CallContext {
  const controller = new AbortController()
  const ended = () => controller.abort(new GrainlineError('QUERY_CANCELLED', 'The client disconnected'))
  // gRPC emits this at the end of every call.
  call.on('cancelled', ended)
  if (call.cancelled) ended()
  else endAt(call.getDeadline(), controller)
  return {
    principal,
    metadata: call.metadata,
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    asker: askerOf(principal, call.getPeer()),
    answerMetadata: new Metadata(),
  }
}

/** Stops the work at the deadline. gRPC itself only sends the status, after the messages that the client has not read yet. */
function endAt(deadline: Date | number, controller: AbortController): void {
  const ms = Number(deadline) - Date.now()
  if (ms > LONGEST_TIMER_MS) return
  const late = () => controller.abort(new FlightError(status.DEADLINE_EXCEEDED, 'The deadline of the call has passed'))
  const timer = setTimeout(late, ms)
  controller.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
}

const LONGEST_TIMER_MS = 2 ** 31 - 1
