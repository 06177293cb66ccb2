import { GrainlineError } from '../errors.js'

/** A driver, imported on first use. Throws `VENDOR_UNAVAILABLE` with the install command if a package is missing or does not load. */
export async function loadDriver<D>(database: string, packages: string, load: () => Promise<D>): Promise<D> {
  try {
    return await load()
  } catch (cause) {
    throw new GrainlineError('VENDOR_UNAVAILABLE', `The ${database} driver cannot be loaded`, {
      hint: `npm install ${packages}`,
      cause,
    })
  }
}
