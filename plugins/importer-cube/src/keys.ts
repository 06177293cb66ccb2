import type { FormatKeys, Part } from '@grainline/importer-dbt/foreign'

/** Keys that say how an item is shown, found, stored or made fast. */
export const KEYS: FormatKeys = {
  whole: 'the model',
  outside: new Set(
    'title description meta format order links drill_members drillMembers drill_member_references folders nested_folders aliases sql_alias sqlAlias pre_aggregations preAggregations refresh_key refreshKey ai_context suggest_filter_values suggestFilterValues currency public shown visible'.split(
      ' ',
    ),
  ),
}

/** Keys of rules that decide who sees what. */
export const SECURITY =
  /^(access_?policy|(row|member)_?level|rewrite_?queries|(sql_|member_)?mask(ing|s)?|security_?context|mask_?sql)$/i

/** A key is written in snake case or in camel case. */
export function keyIn(part: Part, snake: string): string {
  const camel = snake.replace(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase())
  return !part.has(snake) && part.has(camel) ? camel : snake
}

export const textIn = (part: Part, snake: string): string | undefined => part.text(keyIn(part, snake))

/** A word of the format, in snake case. */
export const snakeOf = (word: string): string => word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const isOn = (part: Part, snake: string): boolean => textIn(part, snake) === 'true'

/** What the author says of its visibility; older texts have other keys. */
export function publicIn(part: Part): boolean | undefined {
  const written = ['public', 'shown', 'visible'].map((key) => part.text(key))
  const said = written.find((each) => each !== undefined)
  return said === undefined ? undefined : said !== 'false'
}
