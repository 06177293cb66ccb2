/** Why an item of the model cannot be said in another format. */
export class Unsaid extends Error {
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message)
  }
}

/** The reason is another part, which has a line with its own reason. */
export const leftOut = (part: string): Unsaid =>
  new Unsaid(`${part} is left out`, 'It follows when that is written: see its line.')
