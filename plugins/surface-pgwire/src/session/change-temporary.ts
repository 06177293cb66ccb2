import type { Statement } from '../statements/statement.js'
import { refuse } from '../wire/pg-error.js'
import type { Session } from './session.js'

/** CREATE, INSERT and DROP of a temporary table, tried out in the catalogue before they are remembered. Resolves to the command tag. */
export async function changeTemporary(
  session: Session,
  { table, text, tag }: Statement & { readonly kind: 'temporary' },
): Promise<string> {
  const { temporary } = session
  const creates = tag === 'CREATE TABLE' || tag === 'SELECT'
  if (!creates && !temporary.has(table)) {
    const verb = tag === 'INSERT' ? 'INSERT' : 'DROP TABLE'
    refuse('25006', `cannot execute ${verb} in a read-only transaction`, { hint: 'Models can be read and not written.' })
  }
  if (tag === 'DROP TABLE') {
    temporary.drop(table)
    return tag
  }
  const stop = new AbortController()
  const done = await session.watched(stop, () => session.services.tryTemporary(text, stop.signal))
  temporary.add(table, text)
  return done
}
