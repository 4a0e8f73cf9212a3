/**
 * What people come to the portal for, and in how many steps they are through at most: presses, choices and fields that
 * are filled in.
 */
export const journeys = {
  'who gets into the server room tonight, and why': 6,
  'a lost key, from its report to the re-keying plan': 6,
  'a leaver next Friday': 7,
  'the cleaning company on floor 2 of a building, weekdays 18 to 22, until March': 10,
  'ten overdue keys reminded': 3,
  '500 people imported': 6,
  'a visitor, from announcing to leaving': 15,
  'a forced door, to its acknowledgement': 5,
  'a lockdown and its release': 8,
  'a webhook that failed, replayed': 6,
} as const
