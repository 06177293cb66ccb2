import { existsSync } from 'node:fs'

/** Why a client that `install.sh` installs cannot be used; `undefined` if it is installed. */
export const missingClient = (name: string): string | undefined =>
  existsSync(new URL(`./node_modules/${name}`, import.meta.url))
    ? undefined
    : `${name} is not installed: run test/interop/install.sh`
