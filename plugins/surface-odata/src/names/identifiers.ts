/** A name that OData can spell (Part 3, 15.2): letters, digits and `_`, at most 128 characters, not beginning with a digit. */
export function identifierOf(name: string): string {
  const spelled = name.normalize('NFC').replaceAll(/[^\p{L}\p{N}_]+/gu, '_')
  return (/^[\p{L}_]/u.test(spelled) ? spelled : `_${spelled}`).slice(0, LONGEST)
}

const LONGEST = 128

/** One name for each, in order: a name that is already taken gets a number. Names in `taken` are never given. */
export function identifiersOf(names: readonly string[], taken: readonly string[] = []): readonly string[] {
  const used = new Set(taken)
  return names.map((name) => {
    const wanted = identifierOf(name)
    let given = wanted
    for (let number = 2; used.has(given); number++) {
      const ending = `_${number}`
      given = `${wanted.slice(0, LONGEST - ending.length)}${ending}`
    }
    used.add(given)
    return given
  })
}
