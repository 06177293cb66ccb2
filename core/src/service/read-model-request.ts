import { createHash } from 'node:crypto'
import { fail, GrainlineError } from '../errors.js'
import type { ModelRequest } from './semantic-service.js'

const MAX_CHARACTERS = 5_000_000

/** The request checked for what no schema says, and the text that stands for its document. Throws `INVALID_REQUEST` with findings. */
export function readModelRequest(request: ModelRequest): { readonly source: string; readonly isYaml: boolean } {
  const { model_yaml: yaml, model_json: json } = request
  const hasYaml = yaml !== undefined && yaml !== null
  const hasJson = json !== undefined && json !== null
  if (hasYaml === hasJson)
    refuse('', `Send exactly one of model_yaml and model_json; there ${hasYaml ? 'are both' : 'is neither'}.`)
  const field = hasYaml ? 'model_yaml' : 'model_json'
  const source = hasYaml ? yaml : typeof json === 'string' ? json : JSON.stringify(json)
  if (source.length > MAX_CHARACTERS) refuse(field, `${field} has ${source.length} characters; 5,000,000 are allowed.`)
  return { source, isYaml: hasYaml }
}

/** Equal for requests that must give the same model. */
export function hashRequest(source: string, request: ModelRequest, parentHash: string | undefined): string {
  const kind = typeof request.model_json === 'object' ? 'object' : typeof request.model_json === 'string' ? 'json' : 'yaml'
  const hash = createHash('sha256').update(JSON.stringify([kind, parentHash ?? null, request.extends ?? []]))
  return hash.update(source).digest('hex')
}

function refuse(path: string, message: string): never {
  const error = new GrainlineError('INVALID_REQUEST', message, { path })
  return fail('INVALID_REQUEST', message, { path, findings: [error.toFinding()] })
}
