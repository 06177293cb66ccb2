import { type DataType, parseDataType } from '../data-type.js'
import type { ParameterDocument } from '../document.js'
import { type ModelParameter, parameterFault, plainValueOf } from '../parameter.js'
import type { Segments } from '../parse/locate.js'
import { type Context, describedOf } from './context.js'
import { plainUnit } from './units.js'

/** The context without what is read after the parameters. */
type Reading = Omit<Context, 'grains' | 'parameters' | 'document'> & {
  readonly document: Pick<Context['document'], 'parameters'>
}

/** The parameters of a model; those with errors are reported and left out. */
export function readParameters(context: Reading, at: Segments = ['parameters']): ReadonlyMap<string, ModelParameter> {
  const parameters = new Map<string, ModelParameter>()
  for (const [name, entry] of Object.entries(context.document.parameters ?? {})) {
    const segments = [...at, name]
    if (context.isBroken(segments) || !isName(name, segments, context)) continue
    const parameter = readParameter(name, entry, segments, context)
    if (parameter) parameters.set(name, parameter)
  }
  return parameters
}

function isName(name: string, segments: Segments, { faults }: Reading): boolean {
  if (/^[^{}@]+$/.test(name) && name.trim() === name) return true
  faults.error('SCHEMA_VALIDATION', segments, 'The name of a parameter has no braces, no @, and no blank at its ends', {
    onKey: true,
  })
  return false
}

const KINDS: ReadonlySet<DataType['kind']> = new Set([
  'string',
  'boolean',
  'int',
  'float',
  'decimal',
  'date',
  'timestamp',
  'time',
])

function readParameter(
  name: string,
  entry: ParameterDocument,
  segments: Segments,
  { faults }: Reading,
): ModelParameter | undefined {
  const type = parseDataType(entry.type)
  if (type === undefined || !KINDS.has(type.kind)) {
    const known = [...KINDS].map((kind) => (kind === 'decimal' ? 'decimal(18, 2)' : kind))
    faults.unknown('SCHEMA_VALIDATION', [...segments, 'type'], {
      message: `'${entry.type}' is not the type of a parameter`,
      name: entry.type,
      known,
    })
    return undefined
  }
  const { list = false, nullable = false, values, min, max } = entry
  if ((min !== undefined || max !== undefined) && (type.kind === 'boolean' || type.kind === 'string')) {
    faults.error(
      'INVALID_SETTING',
      [...segments, min === undefined ? 'max' : 'min'],
      `'min' and 'max' are for numbers and times; '${name}' is ${type.kind}`,
    )
    return undefined
  }
  const unbounded: ModelParameter = {
    ...{ name, type, list, nullable },
    ...{ default: undefined, values: undefined, min: undefined, max: undefined },
    ...describedOf(entry),
  }
  const bounds = ['min', 'max', 'values'] as const
  const sound = bounds.map((key) => {
    const fault = [entry[key] ?? []]
      .flat()
      .map((value) => parameterFault(unbounded, value))
      .find(Boolean)
    if (fault !== undefined) faults.error('INVALID_PARAMETER_VALUE', [...segments, key], fault)
    return fault === undefined
  })
  const parameter = { ...unbounded, values, min, max, unit: plainUnit(entry.unit, segments, { faults }) }
  const fault = entry.default === undefined ? undefined : parameterFault(parameter, entry.default)
  if (fault !== undefined) faults.error('INVALID_PARAMETER_VALUE', [...segments, 'default'], fault)
  if (fault !== undefined || sound.includes(false)) return undefined
  return { ...parameter, default: entry.default === undefined ? undefined : plainValueOf(parameter, entry.default) }
}
