/** Refresh contracts: how fresh the data of a table are, according to the model. */
import type { RefreshDocument } from './document.js'

export type RefreshContract =
  /** Loaded every `seconds`; with `anchor` (seconds after midnight in `timezone`, by default the model's own) counted from there every day. */
  | {
      readonly mode: 'interval'
      readonly seconds: number
      readonly anchor: number | undefined
      readonly timezone: string | undefined
    }
  /** The loader reports it; without a report an answer is at most `seconds` old. */
  | { readonly mode: 'heartbeat'; readonly seconds: number | undefined }
  | { readonly mode: 'static' }

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
const PART = /(\d{1,9})\s*(s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?|d|days?|w|weeks?)\s*/gi
const DURATION = new RegExp(`^\\s*(?:${PART.source})+$`, 'i')

/** Seconds of a duration such as `15m`, `1h 30m` or `2 days`; `undefined` for other texts. */
export function durationSeconds(text: string): number | undefined {
  if (text.length > 100 || !DURATION.test(text)) return undefined
  return [...text.matchAll(PART)].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit![0]!.toLowerCase()]!, 0)
}

/** The contract of a document that was found to be valid. */
export function readRefresh(refresh: RefreshDocument): RefreshContract {
  const seconds = (text: string | undefined) => (text === undefined ? undefined : durationSeconds(text))
  switch (refresh.mode) {
    case 'interval':
      return {
        mode: 'interval',
        seconds: seconds(refresh.interval) ?? 0,
        anchor: refresh.anchor === undefined ? undefined : clockSeconds(refresh.anchor),
        timezone: refresh.timezone,
      }
    case 'heartbeat':
      return { mode: 'heartbeat', seconds: seconds(refresh.maxStaleness) }
    case 'static':
      return { mode: 'static' }
  }
}

function clockSeconds(anchor: string): number {
  const [hours = 0, minutes = 0] = anchor.split(':').map(Number)
  return hours * 3600 + minutes * 60
}
