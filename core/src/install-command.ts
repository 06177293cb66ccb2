/** The command that installs the first of these packages whose name has all words between hyphens, as `@acme/vendor-x` has `vendor` and `x`. */
export function installCommand(packages: readonly string[], ...words: readonly string[]): string | undefined {
  const found = packages.find((name) => {
    const parts = name.slice(name.lastIndexOf('/') + 1).split('-')
    return words.every((word) => parts.includes(word))
  })
  return found === undefined ? undefined : `npm install ${found}`
}
