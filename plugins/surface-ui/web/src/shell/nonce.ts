/** What this response lets style elements say, so that they are ours. */
export const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''
