import { definePlugin, text } from '@grainline/core'
import { redisStore } from './redis-store.js'

export { redisStore }

/** Keeps answers in Redis or Valkey, where several processes find them. */
export default definePlugin({
  name: '@grainline/cache-redis',
  host: '>=0.1.0 <1.0.0',
  settings: {
    CACHE_REDIS_URL: text({
      default: 'redis://localhost:6379',
      secret: true,
      means: 'Address of the redis cache, with its password.',
    }),
    CACHE_REDIS_PREFIX: text({ default: 'grainline:', means: 'Prefix of its keys.' }),
  },
  setup(host) {
    const { CACHE_REDIS_URL: url, CACHE_REDIS_PREFIX: prefix } = host.settings
    host.caches.register({ name: 'redis', shared: true, open: ({ logger }) => redisStore({ url, prefix, logger }) })
  },
})
