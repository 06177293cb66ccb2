import { type Document, isScalar, Scalar, visit } from 'yaml'

/**
 * Replaces `${VAR}` and `${VAR:-default}` in the texts of a YAML document, in place; `$${` writes `${`. A plain text is read again
 * as YAML would (`${PORT}` gives a number), a quoted one stays text, so no value can change the document's shape.
 * `faults` are sentences about variables that are unset and have no default.
 */
export function substitute(
  document: Document,
  variable: (name: string) => string | undefined,
): { readonly faults: readonly string[] } {
  const faults: string[] = []
  visit(document, {
    Scalar(key, node) {
      if (key === 'key' || typeof node.value !== 'string' || !node.value.includes('${')) return
      const result = node.value.replace(reference, (whole, name: string | undefined, fallback: string | undefined) => {
        if (name === undefined) return whole === '$${' ? '${' : whole
        const value = variable(name) ?? fallback
        if (value === undefined)
          faults.push(`\${${name}} is used and ${name} is not set; write \${${name}:-} where it may be empty`)
        return value ?? ''
      })
      node.value = node.type === Scalar.PLAIN ? plain(document, result) : result
    },
  })
  return { faults }
}

const reference = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/** The value that an unquoted scalar of this text stands for. */
function plain(document: Document, text: string): unknown {
  for (const tag of document.schema.tags) {
    if ('test' in tag && tag.default === true && tag.test instanceof RegExp && tag.test.test(text) && tag.resolve !== undefined) {
      const resolved = tag.resolve(text as never, () => undefined, {} as never)
      return isScalar(resolved) ? resolved.value : resolved
    }
  }
  return text
}
