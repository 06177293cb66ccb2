/** The start of a tab: somebody chooses the data, the worker starts, and the page of the server takes over. */
import type { Answer, Asked, Data, Told } from './messages.js'

const worker = new Worker(new URL('worker.js', document.baseURI), { type: 'module' })
const waiting = new Map<number, { resolve(answer: Answer | undefined): void; reject(error: Error): void }>()
let last = 0

/** Without `kind: 'end'`, which has the number of a message before. */
type Question = Asked extends infer A
  ? A extends { readonly kind: 'end' }
    ? never
    : A extends object
      ? Omit<A, 'number'>
      : never
  : never

function ask(question: Question, signal?: AbortSignal | null): Promise<Answer | undefined> {
  last += 1
  const number = last
  return new Promise((resolve, reject) => {
    waiting.set(number, { resolve, reject })
    signal?.addEventListener('abort', () => {
      worker.postMessage({ kind: 'end', number } satisfies Asked)
      waiting.delete(number)
      reject(signal.reason)
    })
    worker.postMessage({ ...question, number })
  })
}

worker.addEventListener('message', ({ data: told }: MessageEvent<Told>) => {
  if (told.kind === 'doing') return show(`${told.what[0]?.toUpperCase()}${told.what.slice(1)} …`)
  const asked = waiting.get(told.number)
  waiting.delete(told.number)
  if (told.kind === 'failed') asked?.reject(new Error(told.message))
  else asked?.resolve(told.kind === 'response' ? told.response : undefined)
})

/** Requests of the page to its API go to the worker, and nothing goes to a server. */
const fetchFile = globalThis.fetch
globalThis.fetch = async (input, init) => {
  const address = String(input instanceof Request ? input.url : input)
  const path = new URL(address, document.baseURI).href.slice(document.baseURI.length)
  if (!path.startsWith('api/')) return fetchFile(input, init)
  init?.signal?.throwIfAborted()
  const request = {
    method: init?.method ?? 'GET',
    url: path.slice('api'.length),
    headers: Object.fromEntries(new Headers(init?.headers)),
    body: typeof init?.body === 'string' ? init.body : undefined,
  }
  const answer = await ask({ kind: 'request', request }, init?.signal)
  if (answer === undefined) throw new TypeError('The worker of this tab did not answer')
  const { status, headers, body } = answer
  return new Response(EMPTY.has(status) ? null : body, { status, headers })
}

const EMPTY = new Set([204, 304])

const start = document.querySelector<HTMLElement>('#start')!
const state = start.querySelector<HTMLElement>('[role=status]')!
const show = (text: string): void => {
  state.textContent = text
}

async function open(data: Data): Promise<void> {
  for (const control of start.querySelectorAll<HTMLButtonElement>('button, input')) control.disabled = true
  try {
    await ask({ kind: 'start', data })
  } catch (error) {
    show(`${error instanceof Error ? error.message : error} Load this page again to choose other data.`)
    return
  }
  start.remove()
  const page = document.createElement('script')
  page.type = 'module'
  page.src = start.dataset['page']!
  document.body.append(page)
}

start.querySelector('button')!.addEventListener('click', () => void open({ kind: 'example' }))
const files = start.querySelector<HTMLInputElement>('input[type=file]')!
files.addEventListener('change', () => void open({ kind: 'files', files: [...(files.files ?? [])] }))
// A link to a question about the example.
if (location.hash.length > 1) void open({ kind: 'example' })
