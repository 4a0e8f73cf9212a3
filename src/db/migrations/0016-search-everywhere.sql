-- Every list can be searched.
{{addsearch roles}}
{{addsearch tokens}}
{{addsearch passkeys}}
{{addsearch external_identities}}
{{addsearch access_grants}}
{{addsearch key_handovers}}
