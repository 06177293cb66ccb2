/** The typed extension points. A plugin may add its own by declaration merging on `ExtensionPoints` and `host.point(name)`. */
import type { FastifyInstance } from 'fastify'
import type { CacheBackend } from '../cache/cache-store.js'
import type { Vendor } from '../execute/vendor.js'
import type { Evaluator } from '../language/evaluator.js'
import type { Language } from '../language/language.js'
import type { Logger } from '../logger.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { Named, Point } from '../point.js'
import type { ResultFormat } from '../result/formats/format.js'
import type { SurfaceService } from '../service/semantic-service.js'
import type { Settings } from '../settings/core-variables.js'
import type { Dialect } from '../sql/dialect.js'
import type { Workers } from '../workers/workers.js'

/**
 * What a surface works with. It translates; it never parses a model, compiles, caches or reads a setting by itself.
 * A surface names what it uses of the service: `SurfaceContext<ModelService & QueryService>`.
 */
export interface SurfaceContext<Service = SurfaceService> {
  readonly service: Service
  readonly settings: Settings
  readonly authenticate: Authenticator['authenticate']
  /** Absent where the authenticator cannot prove a secret that it does not see. */
  readonly scramVerifiers?: Authenticator['scramVerifiers']
  readonly logger: Logger
  /** The ways to write an answer beside plain JSON. A surface that serves bytes offers all of them. */
  readonly formats: readonly ResultFormat[]
  /** Path of the surface that is a page for people, as `/ui`, where one is loaded. */
  readonly home?: string
  /** True on Grainline's own server, where every path is the surface's to answer; false inside an application. */
  readonly standalone: boolean
  /** Where several processes serve together, the others: whatever a client may ask of another connection may have come to one of them. */
  readonly workers?: Workers
}

/** Routes on whatever Fastify runs the host: ours when standalone, the application's when embedded. */
export interface HttpSurface extends Named {
  readonly kind: 'http'
  /** Routes that need no credential, as `GET /health`. Every other route of the surface, and every unknown one, asks the authenticator first. */
  readonly open?: readonly string[]
  /** Routes for administrators, as `POST /v1/cache/clear`. */
  readonly administration?: readonly string[]
  /** Path of its page for people, below which it answers: where `GET /` leads a browser. */
  readonly home?: string
  readonly routes: (app: FastifyInstance, context: SurfaceContext) => Promise<void>
}

/** A listener at work. `tls` says whether it is encrypted, for the start-up line. */
export interface RunningSocket {
  readonly address: string
  readonly tls?: boolean
  /** Reads its certificate again; throws and goes on with the old one when the new cannot be used. */
  readonly reload?: () => void | Promise<void>
  readonly stop: () => Promise<void>
}

/** Owns its own listener. */
export interface SocketSurface extends Named {
  readonly kind: 'socket'
  readonly start: (context: SurfaceContext) => Promise<RunningSocket>
}

/** A protocol in front of the service: routes on the host's HTTP server, or a listener of its own. */
export type Surface = HttpSurface | SocketSurface

/** The credential of a client, in the form of its protocol. */
export interface Credential {
  readonly scheme: 'header' | 'bearer' | 'password'
  readonly value: string
}
/** The proven client. `id` goes to logs and to the audit log; it is never the secret. */
export interface Principal {
  readonly id: string
  /** True for one of those that `ADMIN_API_KEYS` means; where that is empty, all are. */
  readonly administrator?: boolean
}
/** Proves a secret by SCRAM-SHA-256 (RFC 5802) to one who does not know it: the secret does not follow from it. */
export interface ScramVerifier {
  readonly principal: Principal
  readonly storedKey: Uint8Array
  readonly serverKey: Uint8Array
}

/** Credential to principal; throws `AUTH_REQUIRED` or `AUTH_INVALID`. Chosen by `AUTH_MODE`. */
export interface Authenticator extends Named {
  readonly authenticate: (credential: Credential | undefined) => Promise<Principal>
  /** One for every secret that lets in, all over one salt. Left out where the secrets are not known here. */
  readonly scramVerifiers?:
    | ((salt: { readonly salt: Uint8Array; readonly iterations: number }) => Promise<readonly ScramVerifier[]>)
    | undefined
}

/** The extension points by name, and what a plugin registers at each. A plugin adds its own by declaration merging. */
export interface ExtensionPoints {
  dialects: Dialect
  vendors: Vendor
  caches: CacheBackend
  surfaces: Surface
  functions: FunctionSpec
  aggregates: AggregateSpec
  authenticators: Authenticator
  evaluators: Evaluator
  languages: Language
  formats: ResultFormat
}
/** The name of an extension point. */
export type PointName = keyof ExtensionPoints & string

export type { Evaluator, Named, Point }
