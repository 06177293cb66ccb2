/**
 * `${VAR}` and `${VAR:-default}` in a text of the config, replaced; `$${` writes `${`. `faults` gets a sentence about each variable that is
 * unset and has no default.
 */
export function substituted(text: string, variable: (name: string) => string | undefined, faults: string[]): string {
  if (!text.includes('${')) return text
  return text.replace(reference, (whole, name: string | undefined, fallback: string | undefined) => {
    if (name === undefined) return whole === '$${' ? '${' : whole
    const value = variable(name) ?? fallback
    if (value === undefined) faults.push(`\${${name}} is used but ${name} is not set; write \${${name}:-} if it may be empty`)
    return value ?? ''
  })
}

const reference = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g
