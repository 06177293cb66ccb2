import { startPgwire } from '/tmp/h/pgwire/test/pgwire/server.js'

const log = (l: string) => (o: any, m: any) => console.log(l, m ?? o, o?.err?.stack ?? '')
const logger: any = {
  debug() {},
  info: log('info'),
  warn: log('warn'),
  error: log('error'),
  child() {
    return logger
  },
}
const s = await startPgwire({
  settings: { PGWIRE_PORT: Number(process.env.PORT ?? 47711), ...JSON.parse(process.env.SET ?? '{}') },
  logger,
})
console.log('port', s.port, process.pid)
process.on('SIGTERM', async () => {
  await s.close()
  process.exit(0)
})
