/** Whether the last backslash of a LIKE pattern escapes nothing, which engines refuse or read each in its own way. */
export function endsInEscape(pattern: string): boolean {
  let end = pattern.length
  while (pattern[end - 1] === '\\') end--
  return (pattern.length - end) % 2 === 1
}
