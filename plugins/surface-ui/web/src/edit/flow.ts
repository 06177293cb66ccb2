/** A value as YAML on one line. */
export function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => flow(each)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? scalar(value) : JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${scalar(key)}: ${flow(each)}`)
    .join(', ')} }`
}

/** Unquoted if YAML reads it as text, even inside braces. */
export function scalar(text: string): string {
  const plain = /^[A-Za-z](?:[\w ]*\w)?$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
  return plain ? text : JSON.stringify(text)
}
