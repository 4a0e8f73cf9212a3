/** What a spreadsheet shows where a formula failed. */
const FAILED =
  /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!|GETTING_DATA)$/
export const isFailedFormula = (text: string): boolean => FAILED.test(text)

/** What stands for a formula that nobody has worked out: programs write such, spreadsheets do not. */
export const NOT_WORKED_OUT = '#NOT_WORKED_OUT!'
