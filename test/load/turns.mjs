// A thread beside the main one: if a turn of the event loop computes for long, it reports the code that ran.
import { Session } from 'node:inspector'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

const LONG_MS = 40
/** Reading a deep stack takes long itself. */
const AGAIN_MS = 200
const KEPT = 8
const FRAMES = 14

const { beats, pid } = workerData
let longest = []
let beat = Atomics.load(beats, 0)
let began = usedMs()
let asked = began
let stacks = []
let from = Date.now()

const session = new Session()
session.connectToMainThread()
session.on('Debugger.paused', ({ params }) => {
  session.post('Debugger.resume')
  const late = Atomics.load(beats, 0) === beat ? '' : '(after it) '
  stacks.push(late + params.callFrames.slice(0, FRAMES).map(place).join(' < '))
})
session.post('Debugger.enable', { maxScriptsCacheSize: 0 })

setInterval(look, 5)
parentPort.on('message', () => {
  parentPort.postMessage(longest)
  longest = []
})

function look() {
  const used = usedMs()
  const now = Atomics.load(beats, 0)
  if (now !== beat) {
    keep(used - began)
    beat = now
    began = asked = used
    from = Date.now()
  } else if (used - asked > LONG_MS) {
    asked = used + AGAIN_MS
    session.post('Debugger.pause')
  }
}

function keep(ms) {
  if (ms < LONG_MS) return
  const turn = { ms: Math.round(ms), from, at: Date.now(), stacks }
  stacks = []
  longest = [...longest, turn].sort((a, b) => b.ms - a.ms).slice(0, KEPT)
}

function place({ functionName, url, location }) {
  return `${functionName || '(anonymous)'} ${path.basename(url)}:${location.lineNumber + 1}`
}

/** The processor time of the main thread, if Linux reports it. */
function usedMs() {
  return Number(readFileSync(`/proc/self/task/${pid}/schedstat`, 'latin1').split(' ', 1)[0]) / 1e6
}
