declare module '@jspm/core/nodelibs/events' {
  export { default, EventEmitter, once } from 'node:events'
}
