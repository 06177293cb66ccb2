export const SHARED: Readonly<Record<string, RegExp>>
export const sharedFile: (name: string) => string
export const GROUPS: Readonly<Record<'main' | 'node' | 'interop', () => readonly string[]>>
export const testFiles: () => readonly string[]
/** Paths from the root; installed and built packages are left out. */
export const filesBelow: (folder: string) => readonly string[]
