/** Acting for another: an application with one key asks for its users, each with other rights. */
import { fail } from '../errors.js'
import { isRecord } from '../model/shape.js'
import { didYouMean, nearest, shown } from '../nearest.js'
import { sha256 } from '../sha256.js'
import { ADMIN, type Attributes, endsWhen, hasEnded, type Principal, rolesOf } from './principal.js'
import { isName, isTexts, MOST_VALUES, wrongAttribute } from './rights.js'

/** The role that may ask for others. */
const IMPERSONATE = 'impersonate'

/** The header that names the principal for whom a request is. */
export const ON_BEHALF_OF = 'x-on-behalf-of'

/** Who has the machine, and with it the files of models and their database, acts for everybody. */
const OWNERS = new WeakSet<Principal>()

/** A principal of the command line over files of this machine. */
export function ownerOfMachine(principal: Principal): Principal {
  const owner = { ...principal }
  OWNERS.add(owner)
  return owner
}

/** The value of the header that names a principal. */
export const namedForHeader = (principal: object): string => Buffer.from(JSON.stringify(principal)).toString('base64')

const KEYS = ['name', 'roles', 'attributes', 'models']

/**
 * The principal that `given` names, the base64 of its JSON, as `sender` may act for it; the sender itself without it. It has nothing of the sender but what is named, and
 * ends with it. Throws `ON_BEHALF_REFUSED`.
 */
export function onBehalfOf(sender: Principal, given: string | undefined): Principal {
  if (given === undefined) return sender
  const isOwner = OWNERS.has(sender)
  if (!isOwner && !rolesOf(sender).includes(IMPERSONATE))
    refuse(`'${sender.id}' lacks the role '${IMPERSONATE}', so it asks for itself only`)
  const { name, roles = [], attributes = {}, models } = readNamed(given)
  if (!isName(name)) return refuse("The principal has no 'name', or one that begins with 'key:'")
  if (!isTexts(roles)) return refuse("The 'roles' of the principal are not a list of texts")
  if (models !== undefined && !isTexts(models)) return refuse("The 'models' of the principal are not a list of texts")
  if (!isRecord(attributes)) return refuse("The 'attributes' of the principal are not an object")
  const wrong = wrongAttribute(attributes)
  if (wrong !== undefined)
    refuse(`The attribute '${shown(wrong)}' is neither a value nor a list of at most ${MOST_VALUES} values`)
  if (!isOwner) refuseFurtherRoles(roles, sender)
  return acting(sender, { name, roles, attributes: attributes as Attributes, models: bothOf(models, sender.models) })
}

/** A decoder reads past other characters, also past the comma between two headers, and would find one principal where two are named. */
const IN_BASE64 = /^[\w+/\s-]+={0,2}$/

function readNamed(given: string): Readonly<Record<string, unknown>> {
  const read = IN_BASE64.test(given.trimEnd()) ? parsed(Buffer.from(given, 'base64').toString('utf8')) : undefined
  if (!isRecord(read)) return refuse('The principal is not the base64 of one JSON object')
  const unknown = Object.keys(read).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) refuse(`The principal has the unknown key '${shown(unknown)}'${didYouMean(nearest(unknown, KEYS))}`)
  return read
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refuseFurtherRoles(roles: readonly string[], sender: Principal): void {
  const never = roles.find((role) => role === ADMIN || role === IMPERSONATE)
  if (never !== undefined) refuse(`Nobody acts for a principal with the role '${never}'`)
  const further = roles.find((role) => !rolesOf(sender).includes(role))
  if (further !== undefined) refuse(`'${sender.id}' lacks the role '${shown(further)}', so it cannot give it to others`)
}

const bothOf = (named: readonly string[] | undefined, own: readonly string[] | undefined): readonly string[] | undefined =>
  named && own ? named.filter((model) => own.includes(model)) : (named ?? own)

type Rights = Required<Pick<Principal, 'name' | 'roles' | 'attributes' | 'models'>>

/** Its id names all of its rights: what one principal opened, another of the same name and other rights does not find. */
function acting(sender: Principal, rights: Rights): Principal {
  const digest = sha256()
  digest.update(JSON.stringify([rights.roles, rights.attributes, rights.models]))
  const { models, ...others } = rights
  const principal: Principal = Object.freeze({
    ...others,
    ...(models && { models }),
    id: `${rights.name} by ${sender.id} (${digest.hex().slice(0, 12)})`,
    sender: sender.id,
    administrator: false,
  })
  endsWhen(principal, () => hasEnded(sender))
  return principal
}

const refuse = (message: string): never => fail('ON_BEHALF_REFUSED', message)
