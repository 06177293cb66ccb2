export class TLSSocket {}
export const createSecureContext = (): never => {
  throw new Error('A tab of a browser has no TLS of its own')
}
export default { TLSSocket, createSecureContext }
