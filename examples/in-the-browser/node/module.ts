import core from '@grainline/core/package.json'

/** No package is searched for: each is part of the bundle. Core asks for its own version. */
export const createRequire = () => {
  const load = (name: string): unknown => {
    if (name === `${core.name}/package.json`) return core
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
  }
  return Object.assign(load, { resolve: load })
}
export default { createRequire }
