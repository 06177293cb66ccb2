import { fail } from '../errors.js'
import { ADMIN_ROLE as ADMIN } from '../model/access.js'

/** What an attribute of a principal is: one value, or several. */
export type AttributeValue = string | number | boolean
export type Attributes = Readonly<Record<string, AttributeValue | readonly AttributeValue[] | null>>

/** The proven client. `id` goes to logs and to the audit log; it is never the secret. */
export interface Principal {
  readonly id: string
  /** True for a principal with one of `ADMIN_API_KEYS`, or for all if that list is empty. */
  readonly administrator?: boolean
  /** Its name, if it has one: an entry of `API_KEYS_FILE` does, a key of `API_KEYS` does not. */
  readonly name?: string | undefined
  /** Its roles. `admin` is that of administrators. */
  readonly roles?: readonly string[] | undefined
  /** What the access rules of models read of it. */
  readonly attributes?: Attributes | undefined
  /** The published models that it may use; all of them if absent. */
  readonly models?: readonly string[] | undefined
  /** The id of the principal that asks for this one, if another does. */
  readonly sender?: string | undefined
}

export { ADMIN }

/** Its roles. One of `ADMIN_API_KEYS` gives the role of administrators. */
export const rolesOf = ({ roles = [], administrator = false }: Principal): readonly string[] =>
  administrator && !roles.includes(ADMIN) ? [...roles, ADMIN] : roles

export const isAdmin = (principal: Principal): boolean => rolesOf(principal).includes(ADMIN)

/** For a principal that may end while a connection of it is open. It is not part of the principal, which is plain data. */
const ENDS = new WeakMap<Principal, () => boolean>()

/** `isEnded` is asked whenever the principal asks for a model. */
export function endsWhen(principal: Principal, isEnded: () => boolean): void {
  ENDS.set(principal, isEnded)
}

export const hasEnded = (principal: Principal): boolean => ENDS.get(principal)?.() ?? false

/** Throws `AUTH_INVALID` for a principal that has ended. */
export function refuseEnded(principal: Principal): void {
  if (hasEnded(principal)) fail('AUTH_INVALID', 'The key or token of this connection is no longer valid')
}
