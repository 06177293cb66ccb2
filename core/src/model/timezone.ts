/** Asking the runtime takes longer than reading a query; there are some six hundred zones. */
const known = new Set<string>()

/** Whether this is an IANA time zone that the runtime knows. */
export function isTimezone(name: string): boolean {
  if (known.has(name)) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    if (known.size < 1_000) known.add(name)
    return true
  } catch {
    return false
  }
}
