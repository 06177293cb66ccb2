import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Finding, GrainlineError, warning } from '../errors.js'
import type { SemanticModel } from '../model/semantic-model.js'

/** A warning for every example whose query does not compile. Gives way to other work between examples. */
export async function checkExamples(model: SemanticModel, compileQuery: (query: unknown) => unknown): Promise<Finding[]> {
  const found: Finding[] = []
  for (const [index, example] of model.examples.entries()) {
    const fault = faultOf(() => compileQuery(example.query))
    if (fault) found.push(invalidExample(example.name, index, fault))
    await nextTurn()
  }
  return found
}

function invalidExample(name: string, index: number, fault: GrainlineError): Finding {
  const path = `examples[${index}].query${fault.path && `.${fault.path}`}`
  return warning('INVALID_EXAMPLE', `Example '${name}' does not compile: ${fault.message}`, {
    path,
    context: { code: fault.code },
  })
}

function faultOf(run: () => unknown): GrainlineError | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof GrainlineError) return error
    throw error
  }
}
