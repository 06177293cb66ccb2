/** The file of named keys (`API_KEYS_FILE`). Whatever is not understood is an error: a mistake must not give rights. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fail } from '../errors.js'
import { messageOf } from '../invariant.js'
import { parseYaml } from '../model/parse/yaml.js'
import { isRecord } from '../model/shape.js'
import { didYouMean, nearest } from '../nearest.js'
import { ADMIN, type Attributes, type Principal } from './principal.js'
import { isName, isTexts, MOST_VALUES, wrongAttribute } from './rights.js'

/** A key and its principal. The key itself is unknown if the file has only its digest. */
export interface NamedKey {
  readonly digest: Buffer
  readonly key: string | undefined
  readonly principal: Principal
}

/** Throws `INVALID_VARIABLE`, which never shows a key. */
export function readKeysFile(file: string): readonly NamedKey[] {
  const entries = entriesOf(file)
  const keys = entries.map((entry, i) => keyOf(entry, i))
  for (const [i, { digest }] of keys.entries()) {
    const first = keys.findIndex((other) => other.digest.equals(digest))
    if (first < i) refuse(`Entry ${i + 1} has the key of entry ${first + 1}`, 'Give the entries different keys.')
  }
  return keys
}

function entriesOf(file: string): readonly unknown[] {
  const read = parsed(file)
  if (Array.isArray(read)) return read
  return refuse(`The file ${file} is not a list`, 'Write one item for each key: - { name: ann, keySha256: …, roles: [sales] }')
}

function parsed(file: string): unknown {
  try {
    return parseYaml(readFileSync(file, 'utf8'))
  } catch (cause) {
    return refuse(`The file ${file} cannot be read: ${messageOf(cause)}`, 'Name a file of YAML that this process may read.')
  }
}

const KEYS = ['name', 'key', 'keySha256', 'roles', 'attributes', 'models']
const LEAST = 16

function keyOf(entry: unknown, i: number): NamedKey {
  const at = `Entry ${i + 1}`
  if (!isRecord(entry)) return refuse(`${at} is not a mapping`, `It has the keys ${KEYS.join(', ')}.`)
  for (const key of Object.keys(entry)) {
    if (!KEYS.includes(key))
      refuse(`${at} has the unknown key '${key}'${didYouMean(nearest(key, KEYS))}`, `The keys are ${KEYS.join(', ')}.`)
  }
  const { name, roles = [], attributes = {}, models } = entry
  if (!isName(name))
    return refuse(`${at} has no 'name', or one that begins with 'key:'`, 'Name the person or the program that has the key.')
  if (!isTexts(roles)) return refuse(`The 'roles' of ${at} are not a list of texts`, 'Write roles: [sales].')
  if (models !== undefined && !isTexts(models))
    return refuse(`The 'models' of ${at} are not a list of texts`, 'Write models: [shop].')
  return {
    ...secretOf(entry, at),
    principal: Object.freeze({
      id: name,
      name,
      roles,
      attributes: attributesOf(attributes, at),
      administrator: roles.includes(ADMIN),
      ...(models && { models }),
    }),
  }
}

function secretOf({ key, keySha256 }: Readonly<Record<string, unknown>>, at: string): Pick<NamedKey, 'digest' | 'key'> {
  if ((key === undefined) === (keySha256 === undefined))
    return refuse(`${at} needs either 'key' or 'keySha256'`, 'A digest is safer: printf %s KEY | sha256sum')
  if (key === undefined) {
    if (typeof keySha256 === 'string' && /^[0-9a-f]{64}$/i.test(keySha256))
      return { digest: Buffer.from(keySha256, 'hex'), key: undefined }
    return refuse(
      `'keySha256' of ${at} is not a digest of 64 hexadecimal digits`,
      'printf %s KEY | sha256sum prints it; put it in quotes.',
    )
  }
  if (typeof key !== 'string' || key.length < LEAST)
    return refuse(`'key' of ${at} is not a text of at least ${LEAST} characters`, 'Create one with openssl rand -hex 20.')
  return { digest: digestOf(key), key }
}

function attributesOf(given: unknown, at: string): Attributes {
  if (!isRecord(given)) return refuse(`The 'attributes' of ${at} are not a mapping`, 'Write attributes: { regions: [North] }.')
  const wrong = wrongAttribute(given)
  if (wrong !== undefined)
    refuse(
      `The attribute '${wrong}' of ${at} is neither a value nor a list of at most ${MOST_VALUES} values`,
      'A value is a text, a number, true or false.',
    )
  return Object.freeze({ ...given }) as Attributes
}

export const digestOf = (key: string): Buffer => createHash('sha256').update(key, 'utf8').digest()

const refuse = (message: string, hint: string): never =>
  fail('INVALID_VARIABLE', `API_KEYS_FILE: ${message}`, { path: 'API_KEYS_FILE', hint })
