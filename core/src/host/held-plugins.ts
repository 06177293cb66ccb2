/** Plugins that a distribution in one file holds, so that none of their files is imported. */

export interface HeldPlugin {
  /** The file that would be imported. */
  readonly file: string
  readonly version: string
  readonly load: () => Promise<{ readonly default?: unknown }>
}
/** What is held of that name, if it is what the name resolves to from `base`. */
export type FindHeldPlugin = (name: string, base: string) => HeldPlugin | undefined

let find: FindHeldPlugin = () => undefined

/** For the whole process, before the first host is created. */
export function holdPlugins(held: FindHeldPlugin): void {
  find = held
}

export const heldPlugin: FindHeldPlugin = (name, base) => find(name, base)
