/** What programs for Node find without an import. */
export { Buffer } from 'node:buffer'
export { default as process } from 'node:process'
export { clearImmediate, clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from './timers.js'
