export const changedSince: (root: string, base?: string) => readonly string[]
export const touchedTests: (
  root: string,
  of: {
    readonly tests: readonly string[]
    readonly imports: Readonly<Record<string, readonly string[]>>
    readonly changed: readonly string[]
  },
) => ReadonlyMap<string, number>
