/** The members of an object as JSON text, so that an object is written from parts that were made at different times. */
export const membersOf = (part: object): string => JSON.stringify(part).slice(1, -1)

/** The bytes of an object with these members. */
export const objectBytes = (...parts: readonly string[]): Buffer => Buffer.from(`{${parts.join(',')}}`)

/** The object without its closing brace: more members follow, each after a comma. */
export const openObject = (object: Buffer): Buffer => object.subarray(0, -1)

/** The same function with its results cached for each value. */
export function onceFor<A extends object, B extends Buffer | string>(make: (value: A) => B): (value: A) => B {
  const results = new WeakMap<A, B>()
  return (value) => {
    const known = results.get(value)
    if (known !== undefined) return known
    const made = make(value)
    results.set(value, made)
    return made
  }
}
