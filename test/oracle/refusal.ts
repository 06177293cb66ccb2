/** Thrown if a query must be refused; `code` is the stable code of the error reference. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** Every code that is also correct. */
    readonly codes: readonly string[] = [code],
  ) {
    super(`${code}: ${message}`)
  }
}

export function refuse(code: string, message: string): never {
  throw new Refusal(code, message)
}
