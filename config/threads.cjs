// The number of threads of libuv. A native database driver blocks one thread per running query, and libuv has four threads for all work:
// with a pool of five connections, five slow queries would block every file, DNS look-up and hash of the process. So there is one
// thread per connection in addition to the usual four, unless the user has set another number.
// libuv reads the variable once, at the first use of a thread. Loading an ES module is such a use, so this file must be CommonJS and run
// first: a line in bin.mjs would be too late.
const { readFileSync } = require('node:fs')
const { parseEnv } = require('node:util')

const CONNECTIONS = 5 // the default of DB_POOL_SIZE
const OTHERS = 4
const MOST = 1024 // libuv's own limit

process.env.UV_THREADPOOL_SIZE ||= String(Math.min(MOST, connections() + OTHERS))

function connections() {
  // An invalid number is refused later with a message.
  const count = Number(process.env.DB_POOL_SIZE || dotenv().DB_POOL_SIZE || CONNECTIONS)
  return Number.isInteger(count) && count > 0 ? count : CONNECTIONS
}

function dotenv() {
  try {
    return parseEnv(readFileSync('.env', 'utf8'))
  } catch {
    return {}
  }
}
