/** What rooms there are, how large, behind which doors. */
export interface RoomType {
  name: string
  /** Square metres. */
  area: readonly [number, number]
  /** Whether a department uses it. */
  isUsed: boolean
  /** How likely one, two, three doors are. */
  doors: readonly number[]
  /** How likely its doors are driven by a system. */
  electronic: number
  door: string
}

const room = (
  name: string,
  area: readonly [number, number],
  isUsed: boolean,
  doors: readonly number[],
  electronic: number,
  door = 'Door',
): RoomType => ({ name, area, isUsed, doors, electronic, door })

export const corridor = room('Corridor', [40, 180], false, [0.3, 0.6, 0.1], 0.8, 'Corridor door')
export const entrance = room('Entrance hall', [60, 400], false, [0, 0.3, 0.7], 0.95, 'Main entrance')
export const serverRoom = room('Server room', [20, 90], true, [0.6, 0.4], 1, 'Server room door')

export const upstairs: ReadonlyArray<readonly [RoomType, number]> = [
  [room('Office', [12, 28], true, [0.96, 0.04], 0.3, 'Office door'), 38],
  [room('Laboratory', [30, 120], true, [0.75, 0.25], 0.75, 'Laboratory door'), 14],
  [room('Seminar room', [40, 90], true, [0.75, 0.25], 0.5), 9],
  [room('Meeting room', [15, 40], true, [1], 0.35), 8],
  [room('Lecture hall', [120, 400], false, [0.1, 0.5, 0.4], 0.7, 'Hall door'), 2],
  [room('Computer room', [30, 80], true, [0.9, 0.1], 0.8), 3],
  [room('Workshop', [40, 150], true, [0.7, 0.3], 0.4, 'Workshop door'), 3],
  [room('Kitchenette', [6, 15], false, [1], 0), 4],
  [room('Print room', [6, 14], false, [1], 0.2), 3],
  [room('WC', [4, 20], false, [1], 0), 7],
  [room('Stairwell', [15, 40], false, [0.4, 0.6], 0.4, 'Stairwell door'), 4],
  [room('Storage room', [5, 40], true, [1], 0.2, 'Storage door'), 5],
]

export const downstairs: ReadonlyArray<readonly [RoomType, number]> = [
  [room('Storage room', [8, 60], true, [1], 0.25, 'Storage door'), 30],
  [room('Technical room', [10, 80], false, [0.9, 0.1], 0.5, 'Technical door'), 20],
  [room('Archive', [20, 120], true, [1], 0.6, 'Archive door'), 10],
  [room('Laboratory', [30, 120], true, [0.75, 0.25], 0.75, 'Laboratory door'), 12],
  [room('Changing room', [15, 50], false, [0.9, 0.1], 0.3), 8],
  [room('Bicycle store', [30, 100], false, [0.5, 0.5], 0.6, 'Bicycle store door'), 5],
  [room('Underground car park', [300, 1500], false, [0.2, 0.4, 0.4], 0.95, 'Car park door'), 3],
  [room('Stairwell', [15, 40], false, [0.4, 0.6], 0.4, 'Stairwell door'), 6],
]
