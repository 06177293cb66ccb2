import type { FormatKeys, Part } from '@grainline/importer-dbt/foreign'

/** Keys that say how an item is shown, found, stored or made fast. */
export const KEYS: FormatKeys = {
  whole: 'the project',
  outside: new Set(
    `action actions aggregate_table alias allow_approximate_optimization allow_fill always_join bypass_suggest_restrictions can_filter can_visualize cancel_grouping_fields
    case_sensitive constant datagroup direction description drill_fields fields fields_hidden_by_default full_suggestions group_item_label group_label hidden html icon_url include
    label label_from_parameter link list_field_separator localization_settings map_layer map_layer_name marketplace_ref named_value_format persist_for persist_with
    precision project_name query remote_dependency set skip_drill_filter style suggest_dimension suggest_explore suggest_persist_for suggestable suggestions tags test
    units value_format value_format_name view_label extension extends local_dependency new_lookml_runtime explore_source_label final order_by_field`.split(
      /\s+/,
    ),
  ),
  own: {
    always_filter: { message: 'it fills in a filter that a reader may change', hint: 'Ask with this filter.' },
    conditionally_filter: { message: 'it fills in a filter that a reader may change', hint: 'Ask with this filter.' },
  },
}

/** Keys of rules that decide who sees what. */
export const SECURITY = /^(access_filters?|access_filter_fields|access_grant|required_access_grants)$/

export const isOn = (part: Part, key: string): boolean => /^(yes|true)$/i.test(part.text(key) ?? '')

/** A text of a key, without white space around. */
export const trimmed = (part: Part, key: string): string | undefined => part.text(key)?.trim() || undefined
