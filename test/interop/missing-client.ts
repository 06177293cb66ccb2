import { existsSync } from 'node:fs'

/** Why a client that `install.sh` puts beside the tests cannot be asked; `undefined` where it is there. */
export const missingClient = (name: string): string | undefined =>
  existsSync(new URL(`./node_modules/${name}`, import.meta.url))
    ? undefined
    : `${name} is not installed: run test/interop/install.sh`
