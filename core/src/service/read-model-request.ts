import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fail, GrainlineError } from '../errors.js'
import { charactersOf, hasMoreCharacters, MAX_CHARACTERS } from '../model/parse/characters.js'
import { checkJsonInSteps } from '../model/parse/read-text.js'
import type { ModelRequest } from './held-models.js'

/** Throws `INVALID_REQUEST` with findings for rules that no schema of the request expresses. */
export function checkModelRequest({ model_yaml: yaml, model_json: json }: ModelRequest): void {
  const [hasYaml, hasJson] = [yaml !== undefined && yaml !== null, json !== undefined && json !== null]
  if (hasYaml === hasJson)
    refuse('', `Send exactly one of model_yaml and model_json; there ${hasYaml ? 'are both' : 'is neither'}`)
  const [field, text] = hasYaml ? ['model_yaml', yaml] : ['model_json', json]
  if (typeof text === 'string') checkLength(field as string, text)
}

/** Throws `INVALID_REQUEST` for a text that is too long. */
export function checkLength(field: string, text: string): void {
  if (hasMoreCharacters(text)) refuse(field, `${field} has ${charactersOf(text)} characters; ${MAX_CHARACTERS} are allowed`)
}

/** The text of the document; '' for an object that the loader will refuse for its depth or size. */
export async function readModelRequest(request: ModelRequest, mostEntries: number): Promise<string> {
  checkModelRequest(request)
  const { model_yaml: yaml, model_json: json } = request
  if (typeof yaml === 'string') return yaml
  if (typeof json === 'string') return json
  return (await isRefused(json, mostEntries)) ? '' : JSON.stringify(json)
}

/** Counted in steps: a client chooses how large the document is. */
async function isRefused(json: unknown, mostEntries: number): Promise<boolean> {
  const steps = checkJsonInSteps(json, mostEntries)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value !== undefined
    await nextTurn()
  }
}

/** Equal for requests that must give the same model. */
export function hashRequest(source: string, request: Omit<ModelRequest, 'asker'>, parentHash: string | undefined): string {
  const kind = typeof request.model_json === 'object' ? 'object' : typeof request.model_json === 'string' ? 'json' : 'yaml'
  const hash = createHash('sha256').update(
    JSON.stringify([kind, parentHash ?? null, request.extends ?? [], request.format ?? null]),
  )
  return hash.update(source).digest('hex')
}

function refuse(path: string, message: string): never {
  const error = new GrainlineError('INVALID_REQUEST', message, { path })
  return fail('INVALID_REQUEST', message, { path, findings: [error.toFinding()] })
}
