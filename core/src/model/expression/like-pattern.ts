/** Whether the last backslash of a LIKE pattern escapes nothing, which engines refuse or read each in its own way. */
export const endsInEscape = (pattern: string): boolean => (/\\*$/.exec(pattern)?.[0].length ?? 0) % 2 === 1
