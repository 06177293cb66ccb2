const V4 = /^(?:\d{1,3}\.){3}\d{1,3}$/
export const isIPv4 = (text: string): boolean => V4.test(text)
export const isIPv6 = (text: string): boolean => text.includes(':') && /^[\da-f:.]+$/i.test(text)
export const isIP = (text: string): 0 | 4 | 6 => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0)
export class Socket {}
export default { isIP, isIPv4, isIPv6, Socket }
