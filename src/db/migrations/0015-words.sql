-- The text index of SQLite holds words instead of trigrams: see docs/decisions/0015-search.md.
{{newsearch locations}}
{{newsearch buildings}}
{{newsearch spaces}}
{{newsearch access_control_systems}}
{{newsearch access_points}}
{{newsearch individuals}}
{{newsearch locking_systems}}
{{newsearch cylinders}}
{{newsearch key_types}}
{{newsearch keys}}
{{newsearch credentials}}
{{newsearch access_groups}}
{{newsearch users}}
{{newsearch service_users}}
