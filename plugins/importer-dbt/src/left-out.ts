import type { Place } from './part.js'

/** Why an item is not in the model. */
export class LeftOut extends Error {
  constructor(
    message: string,
    readonly place?: Place,
    readonly hint?: string,
  ) {
    super(message)
  }
}
