/** The language service in a worker. */
import type { Language } from '@grainline/language'
import type { Asked, FromWorker, Input, Output, ToWorker } from './language-service.js'

/** The path of the worker's file, which the build writes next to those of the page. */
declare const LANGUAGE_WORKER: string

export interface LanguageClient {
  /** `undefined` if a newer request of the same kind replaced this one. */
  ask<K extends Asked>(asked: K, text: string, input: Input<K>): Promise<Output<K> | undefined>
  close(): void
}

export function startLanguage(language: Language): LanguageClient {
  const worker = new Worker(new URL(LANGUAGE_WORKER, document.baseURI))
  return languageClient(
    {
      send: (message) => worker.postMessage(message),
      listen: (onMessage, onFailure) => {
        worker.onmessage = ({ data }) => onMessage(data)
        worker.onerror = ({ message }) => onFailure(message || 'The language service does not start')
      },
      close: () => worker.terminate(),
    },
    language,
  )
}

/** A connection to a worker. */
export interface Port {
  send(message: ToWorker): void
  listen(onMessage: (message: FromWorker) => void, onFailure: (says: string) => void): void
  close(): void
}

interface Waiting {
  readonly asked: Asked
  readonly text: string
  readonly input: unknown
  resolve(output: unknown): void
  reject(error: Error): void
}

/** For each kind, the worker handles one request and one waits. A newer request replaces the waiting one. */
export function languageClient(port: Port, language: Language): LanguageClient {
  const running = new Map<number, Waiting>()
  const waiting = new Map<Asked, Waiting>()
  let id = 0
  let sent: string | undefined

  const send = (question: Waiting) => {
    id++
    running.set(id, question)
    const { asked, text, input } = question
    const first = sent === undefined ? { language } : {}
    port.send({ id, asked, input: input as Input<Asked>, ...first, ...(text !== sent && { text }) })
    sent = text
  }
  const onMessage = (message: FromWorker) => {
    const question = running.get(message.id)
    if (question === undefined) return
    running.delete(message.id)
    if ('failed' in message) question.reject(new Error(message.failed))
    else question.resolve(message.output)
    const next = waiting.get(question.asked)
    waiting.delete(question.asked)
    if (next) send(next)
  }
  port.listen(onMessage, (says) => {
    for (const question of [...running.values(), ...waiting.values()]) question.reject(new Error(says))
    running.clear()
    waiting.clear()
  })
  return {
    ask: (asked, text, input) =>
      new Promise((resolve, reject) => {
        const question: Waiting = { asked, text, input, resolve: resolve as Waiting['resolve'], reject }
        if (![...running.values()].some((each) => each.asked === asked)) return send(question)
        waiting.get(asked)?.resolve(undefined)
        waiting.set(asked, question)
      }),
    close: () => port.close(),
  }
}
