import type { Finding } from '../../errors.js'

/** What happened, and what to do about it, in one line. */
export const withHint = ({ message, hint }: Pick<Finding, 'message' | 'hint'>): string =>
  hint === undefined || message.includes(hint) ? message : `${message}${/[.!?]$/.test(message) ? '' : '.'} ${hint}`
