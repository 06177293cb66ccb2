/** For our own processes that serve HTTP without the rest of the core: the build copies it into their packages. Any release may change it. */
export { Connections } from './host/connections.js'
export { hasSeveralHosts } from './host/several-hosts.js'
