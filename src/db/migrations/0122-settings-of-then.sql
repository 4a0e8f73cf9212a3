-- The zone that places inherit, and lockdowns, as they were: a lockdown whose end was put off had ended later all along.
{{history organizations id, time_zone}}
{{history lockdowns id, kind, location_id, building_id, space_id, access_point_id, reason, expires_at, released_at}}
