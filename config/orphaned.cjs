// Runs first in the process that runs the sources: it ends with the process that started it, also if that one was killed and could not say so.
const parent = process.ppid
const INTERVAL_MS = 250

setInterval(() => process.ppid !== parent && process.exit(1), INTERVAL_MS).unref()
