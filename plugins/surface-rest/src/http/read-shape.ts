import { GrainlineError } from '@grainline/core'
import type { ReadShape } from '@grainline/core/surface'
import { shapeFindings } from './validation.js'

/** A body that the schema of its route refuses: one finding per fault, each with its place. */
export const readShape: ReadShape = (validation, request) => {
  if (request.body === undefined && request.routeOptions.schema?.body && request.method !== 'GET') {
    return new GrainlineError('BAD_REQUEST', 'The request has no body; send JSON')
  }
  const findings = shapeFindings(validation as Parameters<typeof shapeFindings>[0], request.routeOptions.schema?.body)
  const detail = findings.map((finding) => finding.message).join('; ')
  return new GrainlineError('INVALID_REQUEST', detail || 'The request is of the wrong shape.', { findings })
}
