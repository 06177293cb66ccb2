/** The name of a protected session: ASCII letters, digits and underscores, not starting with a digit; case is kept. */
export function sessionName(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '')
  const words = plain.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|(?<!_)_+$/g, '')
  if (words === '') return 'model'
  return /^\d/.test(words) ? `_${words}` : words
}
