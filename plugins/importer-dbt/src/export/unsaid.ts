/** Why an item of the model cannot be said in another format. */
export class Unsaid extends Error {
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message)
  }
}
