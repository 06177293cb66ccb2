import { definePlugin } from '@grainline/core'
import { keySet } from './key-set.js'
import { jwtOptions } from './options.js'
import { tokens } from './tokens.js'

export type { JwtOptions } from './options.js'
export { keySet, tokens }

/** `AUTH_MODE=jwt`: tokens of an identity provider, whose claims are the name, the roles and the attributes of principals. */
export default definePlugin({
  name: '@grainline/auth-jwt',
  host: '>=0.1.0 <1.0.0',
  options: jwtOptions,
  setup(host, options) {
    // The plugin may be listed while another mode is chosen: its files are then not read.
    if (host.settings.AUTH_MODE !== 'jwt') {
      host.logger.warn(`No token is asked for, because AUTH_MODE is ${host.settings.AUTH_MODE}: set AUTH_MODE=jwt`)
      return
    }
    const keys = keySet(options.keys, host.base)
    host.authenticators.register(tokens(options, keys))
  },
})
