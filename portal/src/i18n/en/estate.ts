/** Locations, buildings, spaces, access points, the overview. */
export const estate = {
  doors: 'Doors',
  systems: 'Systems',
  whoGetsIn: 'People with access',
  usableCredentials: 'Usable credentials',
  ground: 'Ground floor',
  wings: 'Wings',
}
