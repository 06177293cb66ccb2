/** The typed extension points. A plugin may add its own by declaration merging on `ExtensionPoints` and `host.point(name)`. */
import type { FastifyInstance } from 'fastify'
import type { Principal } from '../auth/principal.js'
import type { CacheBackend } from '../cache/cache-store.js'
import type { Vendor } from '../execute/vendor.js'
import type { Evaluator } from '../language/evaluator.js'
import type { Language } from '../language/language.js'
import type { Logger } from '../logger.js'
import type { Exporter } from '../model/exporter.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { Importer } from '../model/importer.js'
import type { Named, Point } from '../point.js'
import type { ResultFormat } from '../result/formats/format.js'
import type { SurfaceService } from '../service/semantic-service.js'
import type { Settings } from '../settings/core-variables.js'
import type { Dialect } from '../sql/dialect.js'
import type { Workers } from '../workers/workers.js'

/**
 * The context of a surface. A surface only translates; it never parses a model, compiles, caches or reads a setting by itself.
 * A surface names the parts of the service that it uses: `SurfaceContext<ModelService & QueryService>`.
 */
export interface SurfaceContext<Service = SurfaceService> {
  readonly service: Service
  readonly settings: Settings
  readonly authenticate: Authenticator['authenticate']
  /** Absent if the authenticator cannot prove a secret that it does not see. */
  readonly scramVerifiers?: Authenticator['scramVerifiers']
  /** Absent if no issuer gives clients their tokens. */
  readonly issuedBy?: Authenticator['issuedBy']
  readonly logger: Logger
  /** The encodings of answers in addition to plain JSON. A surface that serves bytes offers all of them. */
  readonly encodings: readonly ResultFormat[]
  /** Path of the loaded surface that is a page for people, such as `/ui`. */
  readonly home?: string
  /** True on Grainline's own server, where the surface answers every path; false inside an application. */
  readonly standalone: boolean
  /** The other workers, if several processes serve together: state of another connection of a client may be in one of them. */
  readonly workers?: Workers
}

/** Routes on the Fastify of the host: its own when standalone, that of the application when embedded. */
export interface HttpSurface extends Named {
  readonly kind: 'http'
  /** Routes that need no credential, such as `GET /health`. Every other route of the surface, and every unknown one, needs authentication. */
  readonly open?: readonly string[]
  /** Routes that are answered whatever host a request names, for probes that know only an address. They must say nothing about data. */
  readonly anyHost?: readonly string[]
  /** Routes for administrators, such as `POST /v1/cache/clear`. */
  readonly administration?: readonly string[]
  /** Routes that show what the server did for everybody, such as metrics. They are for administrators while a model has access rules. */
  readonly operation?: readonly string[]
  /** Path of its page for people and of its routes; `GET /` redirects a browser to it. */
  readonly home?: string
  readonly routes: (app: FastifyInstance, context: SurfaceContext) => Promise<void>
}

/** A running listener. `tls` says whether it is encrypted, for the line at startup. */
export interface RunningSocket {
  readonly address: string
  readonly tls?: boolean
  /** Whether clients need no credential. By default as `AUTH_MODE` says. */
  readonly isOpen?: boolean
  /** The setting of the address that it binds, for the warning about an open surface. */
  readonly hostSetting?: string
  /** Reads its certificate again. If the new one is invalid, it throws and continues with the old one. */
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
/** Verifies a secret by SCRAM-SHA-256 (RFC 5802) without containing it. */
export interface ScramVerifier {
  readonly principal: Principal
  readonly storedKey: Uint8Array
  readonly serverKey: Uint8Array
}

/** The issuer of tokens. */
export interface IssuedBy {
  readonly issuer: string
  /** The address for which MCP clients request tokens; by default the one that they use. */
  readonly resource?: string | undefined
  /** How people sign in on a page; absent if they bring a token. */
  readonly signIn?: SignIn | undefined
}

/** A public client of the issuer: the page, which has no secret. */
export interface SignIn {
  readonly client: string
  readonly scopes: readonly string[]
  /** Whether a session goes on with a refresh token, if the issuer gives one. */
  readonly refresh: boolean
  /** Whether signing out ends the login at the issuer, too. */
  readonly logout: boolean
}

/** Credential to principal; throws `AUTH_REQUIRED` or `AUTH_INVALID`. Chosen by `AUTH_MODE`. */
export interface Authenticator extends Named {
  readonly authenticate: (credential: Credential | undefined) => Promise<Principal>
  /** One for every accepted secret, all with the same salt. Absent if the secrets are not known here. */
  readonly scramVerifiers?:
    | ((salt: { readonly salt: Uint8Array; readonly iterations: number }) => Promise<readonly ScramVerifier[]>)
    | undefined
  /** Who gives clients their tokens, so that a surface can tell them where to get one. */
  readonly issuedBy?: IssuedBy | undefined
  /** Reads again what it reads from files, when the server is asked to (SIGHUP). If it throws, the old state remains. */
  readonly reload?: (() => void | Promise<void>) | undefined
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
  encodings: ResultFormat
  importers: Importer
  exporters: Exporter
}
/** The name of an extension point. */
export type PointName = keyof ExtensionPoints & string

export type { Evaluator, Named, Point, Principal }
