import { invalid } from '../core/errors.ts'
import type { Fields } from '../core/fields.ts'
import { type Condition, type FilterGroup, findField, parseFilter } from './filters.ts'
import { trimBlanks } from './operands.ts'
import { quote } from './pairs.ts'

/** Groups inside `or=(…)`, one within the other. */
const MAX_DEPTH = 2

const GROUP = /^(not\.)?(and|or)\(/
const NAME = /^([A-Za-z_][A-Za-z0-9_]*)\./
/** A filter whose operand is a list, which has commas and parentheses of its own. */
const LIST = /^(?:not\.)?in\.\(/
/** A filter up to its operand. */
const OPERATOR = /^(?:not\.)?[A-Za-z]+\./

/** `or=(a.eq.1,and(b.gt.2,not.or(c.is.null,d.eq.3)))`. A value with a comma or a parenthesis stands in quotes. */
export function parseGroup(text: string, fields: Fields): FilterGroup {
  const reader = new GroupReader(text, fields)
  return reader.whole()
}

class GroupReader {
  private readonly text: string
  private readonly fields: Fields
  private at = 0

  constructor(text: string, fields: Fields) {
    this.text = text
    this.fields = fields
  }

  whole(): FilterGroup {
    if (this.text[0] !== '(') throw this.fault('a list of filters in parentheses, like (status.eq.active,name.like.A*)')
    const members = this.members(0)
    if (this.at !== this.text.length) throw this.fault('nothing behind the last parenthesis')
    return { group: 'or', negated: false, value: this.text, members }
  }

  /** From an opening parenthesis to behind its closing one. */
  private members(depth: number): Condition[] {
    const found: Condition[] = []
    for (;;) {
      this.at += 1
      this.skipBlanks()
      found.push(this.member(depth))
      this.skipBlanks()
      const end = this.text[this.at]
      if (end === ')') break
      if (end !== ',') throw this.fault('a comma or a closing parenthesis')
    }
    this.at += 1
    return found
  }

  private member(depth: number): Condition {
    const rest = this.text.slice(this.at)
    const [opening, not, group] = GROUP.exec(rest) ?? []
    if (opening !== undefined) {
      if (depth === MAX_DEPTH) throw this.fault(`at most ${MAX_DEPTH} groups within each other`, 'filter.too_deep')
      const begin = this.at + opening.length - 1
      this.at = begin
      const members = this.members(depth + 1)
      return {
        group: group === 'and' ? 'and' : 'or',
        negated: not !== undefined,
        value: this.text.slice(begin, this.at),
        members,
      }
    }
    const [, name] = NAME.exec(rest) ?? []
    if (name === undefined || (name === 'not' && !findField(this.fields, name)))
      throw this.fault(
        'field.operator.value, and(…) or or(…), with not. before an operator (field.not.eq.value) or a group ' +
          '(not.or(…)),',
      )
    this.at += name.length + 1
    return parseFilter(name, this.filterText(), this.fields, () => [])
  }

  /** Operator and value as they would stand behind `field=`. */
  private filterText(): string {
    const rest = this.text.slice(this.at)
    if (LIST.test(rest)) return this.take(this.endOfList())
    const [operator = ''] = OPERATOR.exec(rest) ?? []
    const begin = this.at + operator.length
    if (this.text[begin] !== '"') return trimBlanks(this.take(this.endOfBare(this.at)))
    let value = ''
    let at = begin + 1
    for (; this.text[at] !== '"'; at++) {
      if (this.text[at] === '\\') at++
      if (at >= this.text.length) throw this.fault('a closing quote')
      value += this.text.charAt(at)
    }
    this.at = at + 1
    return operator + value
  }

  private endOfBare(from: number): number {
    let at = from
    while (at < this.text.length && this.text[at] !== ',' && this.text[at] !== ')') at++
    return at
  }

  /** A quote opens an item's text only at its beginning; further in it is a character like any other. */
  private endOfList(): number {
    let isQuoted = false
    let isBeginning = true
    for (let at = this.text.indexOf('(', this.at) + 1; at < this.text.length; at++) {
      const character = this.text[at]
      if (isQuoted) {
        if (character === '\\') at++
        else if (character === '"') isQuoted = false
      } else if (character === ')') return at + 1
      else if (character === '"' && isBeginning) isQuoted = true
      else if (character !== ' ' && character !== '\t') isBeginning = character === ','
    }
    return this.text.length
  }

  private take(end: number): string {
    const piece = this.text.slice(this.at, end)
    this.at = end
    return piece
  }

  private skipBlanks(): void {
    while (this.text[this.at] === ' ' || this.text[this.at] === '\t') this.at++
  }

  private fault(expected: string, reason = 'filter.group_syntax') {
    const piece = this.text.slice(this.at)
    return invalid(
      'or',
      reason,
      `Parameter "or": ${piece === '' ? 'it ends' : quote(piece)} where ${expected} is expected`,
    )
  }
}
