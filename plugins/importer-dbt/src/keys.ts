import type { FormatKeys } from './draft.js'

/** Keys of dbt that the importer does not read. Those outside say how dbt builds, tests or files an item. */
export const KEYS: FormatKeys = {
  whole: 'the project',
  outside: new Set(
    'config meta tags tests data_tests constraints version versions latest_version docs access group tests_config quote contract deprecation_date time_spine metadata created_at unique_id fqn original_file_path path package_name resource_type source_file loaded_at enabled depends_on refs language unrendered_config input_measures is_private hidden description label relation_name columns enabled repo_file_path file_slice exports cache granularity'.split(
      ' ',
    ),
  ),
  own: { join_to_timespine: { message: 'a query asks for rows of times without data', hint: 'Ask with gaps.' } },
}

/** Keys of rules that decide who sees what, which tools around dbt write into `meta`. Its own `grants` are rights in the database, which stay there. */
export const SECURITY =
  /^((row|column|data|user)_?(level_?)?(access|security|filters?|masks?)|(row_)?access_?(polic(y|ies)|filters?|rules?)|masking_polic(y|ies)|policy_tags?|(required|any|user)_?attributes?|security_?(groups?|rules?|polic(y|ies))?|required_?(roles?|access_?grants?)|row_access_polic(y|ies)|(sql|row)_filters?)$/i
