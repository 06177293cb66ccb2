import type { Health } from '../api/grainline.js'

export interface Advice {
  readonly says: string
  readonly todo: string
}

/** The weak points of the joins of a model, and how to fix them. */
export function adviceOf({ orphan_data_objects, fan_trap_risks, unreachable_dimensions }: Health): readonly Advice[] {
  return [
    ...fan_trap_risks.map(({ reason, suggested_pattern }) => ({ says: `${reason}.`, todo: `${suggested_pattern}.` })),
    ...orphan_data_objects.map((name) => ({
      says: `${name} has no joins, so its fields cannot be combined with those of other data objects.`,
      todo: `Add a join from or to ${name}, or take it out of the model.`,
    })),
    ...unreachable_dimensions.map((name) => ({
      says: `No measure can be grouped by ${name}.`,
      todo: `Join an object with measures to the object of ${name}, or take the dimension out of the model.`,
    })),
  ]
}
