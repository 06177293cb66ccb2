import type { Receipt } from '../api/types.js'
import { comparedInWords } from './compared-in-words.js'

/** Which days an answer compares with which, above its rows, its chart and its pivot. */
export default function ComparedTimes({ receipt }: { readonly receipt: Receipt | undefined }) {
  const texts = comparedInWords(receipt)
  return texts.length === 0 ? null : <p className="compared-times">{texts.join(' ')}</p>
}
