interface Names {
  given_name: string
  family_name: string
}

export const displayNameOf = ({ given_name, family_name }: Names): string =>
  `${given_name.trim()} ${family_name.trim()}`.trim()

/**
 * A display name that is exactly the two names put together follows them; any other was chosen by somebody and stays.
 * Nobody is left without one.
 */
export function nextDisplayName(
  current: Names & { display_name: string },
  next: Names & { display_name: string },
): string {
  if (next.display_name !== current.display_name || current.display_name !== displayNameOf(current))
    return next.display_name
  return displayNameOf(next) || current.display_name
}
