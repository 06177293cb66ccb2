/** Why a query must be refused, whatever the rows are: everything that its measures and metrics ask of it. */
import { atomNamed, atomNames } from './components.js'
import type { Asked } from './fields.js'
import { missingOf } from './grain.js'
import type { FilterJson } from './model.js'
import { Refusal } from './refusal.js'
import type { World } from './world.js'

export interface Fault {
  readonly code: string
  readonly why: string
}

/** Refuses with the first fault; any of them is right. */
export function checkNames(world: World, names: readonly string[], asked: readonly Asked[], where: readonly FilterJson[]): void {
  const faults = [...grainFaults(world, names, asked)]
  if (faults.length > 0)
    throw new Refusal(
      faults[0]!.code,
      faults[0]!.why,
      faults.map((f) => f.code),
    )
}

function grainFaults(world: World, names: readonly string[], asked: readonly Asked[]): readonly Fault[] {
  const atoms = [...new Set(names.flatMap((n) => atomNames(world, n)))]
  return atoms.flatMap((name) =>
    missingOf(atomNamed(world, name).measure, asked).map((n) => ({ code: 'GRAIN_NOT_SUBSET', why: `${name} includes ${n}` })),
  )
}
