/** A document with the members of every map in reverse order, and the joins too: the same model, declared in another order. */
export function reversed(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const members = value.map((member) => reversed(member))
    return key === 'joins' ? members.reverse() : members
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member, name)]),
  )
}
