/**
 * Rows by a text that each has, which is made once. For the few of a large table: to give them in order, SQLite would
 * walk all rows there are by an index of that order instead of finding these.
 */
export const inOrder = <Row>(rows: readonly Row[], placeOf: (row: Row) => string): Row[] =>
  rows
    .map((row) => ({ row, place: placeOf(row) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ row }) => row)
