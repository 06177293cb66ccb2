import { createHash, createHmac, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import type { Principal, ScramVerifier } from '../host/points.js'

const derive = promisify(pbkdf2)

/** What a server keeps of a secret under SCRAM-SHA-256 (RFC 5802 §3, RFC 7677). */
export async function scramVerifier(
  secret: string,
  principal: Principal,
  { salt, iterations }: { readonly salt: Uint8Array; readonly iterations: number },
): Promise<ScramVerifier> {
  // Clients prepare passwords by SASLprep, of which NFKC is what matters to any text that is typed.
  const salted = await derive(secret.normalize('NFKC'), salt, iterations, 32, 'sha256')
  const clientKey = createHmac('sha256', salted).update('Client Key').digest()
  return {
    principal,
    storedKey: createHash('sha256').update(clientKey).digest(),
    serverKey: createHmac('sha256', salted).update('Server Key').digest(),
  }
}
