/** Nothing is compressed on the way from one worker of a tab to its page. */
const none = (): never => {
  throw new Error('Nothing is compressed in a tab')
}
export const constants = {}
export {
  none as brotliCompress,
  none as crc32,
  none as createBrotliCompress,
  none as createGzip,
  none as deflateRaw,
  none as gzip,
}
export default {
  constants,
  createGzip: none,
  createBrotliCompress: none,
  brotliCompress: none,
  gzip: none,
  deflateRaw: none,
  crc32: none,
}
