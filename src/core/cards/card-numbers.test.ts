import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CardFormat,
  cardFormats,
  formatNamed,
  hasRightParity,
  isWithin,
  putTogether,
  readBits,
  takeApart,
  writeBits,
} from './card-formats.ts'
import { type CardReading, decodeCardNumber, keysOfReading } from './card-numbers.ts'
import { keysOfNumber, matchKeyOf } from './match-key.ts'

const key = (number: string | null, facility_code: string | null = null, format: string | null = null, type = 'card') =>
  matchKeyOf({ type, facility_code, number, format })

describe('the canonical form of a number', () => {
  it.each([
    ['leading zeros', '0004711', null, null, 'card:4711:'],
    ['no zeros', '4711', null, null, 'card:4711:'],
    ['nothing but zeros', '0000', null, null, 'card:0:'],
    ['spaces around it', '  4711 ', null, null, 'card:4711:'],
    ['digits as wide as letters', '４７１１', null, null, 'card:4711:'],
    ['a facility code', '4711', '108', null, 'card:4711:108'],
    ['a facility code with zeros', '04711', '0108', null, 'card:4711:108'],
    ['an empty facility code', '4711', '', null, 'card:4711:'],
    ['a facility code in words', '4711', 'hq', null, 'card:4711:HQ'],
    ['a printed pair', '108,04711', null, null, 'card:4711:108'],
    ['a pair with a dash', '108-4711', null, null, 'card:4711:108'],
    ['a pair with a colon', '108:4711', null, null, 'card:4711:108'],
    ['a pair with a slash', '108 / 4711', null, null, 'card:4711:108'],
    ['a pair with a space', '108 04711', null, null, 'card:4711:108'],
    ['a pair that repeats the facility code', '108,04711', '108', null, 'card:4711:108'],
    ['a pair that contradicts it', '109,04711', '108', null, 'card:109,04711:108'],
    ['one number of 24 bits, without a format', '7082599', null, null, 'card:7082599:'],
    ['one number of 24 bits, as Wiegand', '7082599', null, 'wiegand-26', 'card:4711:108'],
    ['the same with a zero in front', '0007082599', null, 'W26', 'card:4711:108'],
    ['a small number as Wiegand', '4711', null, 'wiegand-26', 'card:4711:'],
    ['26 bits with parity in hexadecimal', '0x2d824cf', null, 'H10301', 'card:4711:108'],
    ['one number of 32 bits', '7082599', null, 'wiegand-34', 'card:4711:108'],
    ['a chip in capitals', '04A224B1', null, null, 'card:77735089:'],
    ['a chip with colons', '04:a2:24:b1', null, null, 'card:77735089:'],
    ['a chip with spaces', '04 A2 24 B1', null, null, 'card:77735089:'],
    ['a chip with dashes', '04-A2-24-B1', null, null, 'card:77735089:'],
    ['a chip in decimal', '77735089', null, null, 'card:77735089:'],
    ['a chip of digits alone, said to be one', '12345678', null, 'uid', 'card:305419896:'],
    ['digits alone, said to be nothing', '12345678', null, null, 'card:12345678:'],
    ['seven bytes', '04a224b1c25e80', null, 'desfire-ev3', 'card:1304178391670400:'],
    ['letters that are no chip', 'a12', null, null, 'card:A12:'],
    ['letters of any kind', 'blue-17 b', null, null, 'card:BLUE-17 B:'],
    ['signs that part the form', 'a:b%', 'x:y', null, 'card:A%3AB%25:X%3AY'],
  ])('%s', (_what, number, facility, format, expected) => {
    expect(key(number, facility, format)).toBe(expected)
  })

  it.each([
    ['plate', 'ZH 123-456', 'plate:ZH123456:'],
    ['plate', 'mü·ab 12', 'plate:MÜAB12:'],
    ['plate', '--', 'plate:--:'],
    ['qr', 'aB1', 'qr:aB1:'],
    ['qr', '0012', 'qr:0012:'],
    ['mobile', 'M-7', 'mobile:M-7:'],
    ['transponder', '0012', 'transponder:12:'],
    ['biometric', '0012', 'biometric:0012:'],
  ])('of a %s: %s', (type, number, expected) => {
    expect(key(number, null, null, type)).toBe(expected)
  })

  it('of no number is none', () => {
    expect(key(null, '108')).toBeNull()
  })

  it('puts all facility codes of a number side by side, and no other number between them', () => {
    const { from, to } = keysOfNumber('card', '4711')
    const lies = (text: string | null) => text !== null && text >= from && text < to
    for (const site of [null, '1', '108', 'hq', '~', '%']) expect(lies(key('4711', site))).toBe(true)
    for (const number of ['471', '47110', '47111', '4712']) expect(lies(key(number, '108'))).toBe(false)
  })

  it('stays what it is, whatever is typed, and keeps apart what differs', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.option(fc.string({ maxLength: 10 })), (number, site) => {
        expect(key(` ${number} `, site)).toBe(key(number, site))
        expect(key(number, site)).toMatch(/^card:[^:]*:[^:]*$/s)
      }),
    )
  })
})

const card = (format: CardFormat) =>
  fc.record({
    facility: format.facility ? fc.bigInt(1n, (1n << BigInt(format.facility.length)) - 1n) : fc.constant(undefined),
    number: fc.bigInt(0n, (1n << BigInt(format.number.length)) - 1n),
  })

describe.each(cardFormats.map((format) => [format.name, format as CardFormat] as const))('%s', (_name, format) => {
  it('is read as it is written, with every bit in use once', () => {
    fc.assert(
      fc.property(card(format), (given) => {
        const value = writeBits(format, given)
        expect(readBits(format, value)).toEqual(given)
        expect(hasRightParity(format, value)).toBe(true)
        expect(isWithin(format, given)).toBe(true)
        if (given.facility !== undefined) expect(takeApart(format, putTogether(format, given))).toEqual(given)
      }),
    )
  })

  it('knows a bit that was turned', () => {
    fc.assert(
      fc.property(card(format), fc.integer({ min: 0, max: format.bits - 1 }), (given, at) => {
        expect(hasRightParity(format, writeBits(format, given) ^ (1n << BigInt(at)))).toBe(false)
      }),
    )
  })

  it('is decoded from bits, from hexadecimal and from decimal digits, and from one number', () => {
    fc.assert(
      fc.property(card(format), (given) => {
        const value = writeBits(format, given)
        const means = ({ facility_code, number, formats }: CardReading) =>
          facility_code === (given.facility?.toString() ?? null) &&
          number === given.number.toString() &&
          formats.includes(format.name)
        expect(
          decodeCardNumber(value.toString(2).padStart(format.bits, '0')).some(
            (found) => means(found) && found.parity === 'right',
          ),
        ).toBe(true)
        if (value >> BigInt(format.bits - 2) !== 0n) {
          expect(decodeCardNumber(`0x${value.toString(16)}`).some(means)).toBe(true)
          expect(decodeCardNumber(value.toString()).some(means)).toBe(true)
        }
        if (given.facility !== undefined) {
          expect(decodeCardNumber(putTogether(format, given).toString()).some(means)).toBe(true)
          expect(decodeCardNumber(`${given.facility},${given.number}`).some(means)).toBe(true)
        }
      }),
    )
  })
})

it.each([
  ['wiegand-26', 'wiegand-26'],
  ['Wiegand 26', 'wiegand-26'],
  ['W26', 'wiegand-26'],
  ['26-bit', undefined],
  ['W34', 'wiegand-34'],
  ['w37', 'wiegand-37'],
  ['H10302', 'wiegand-37-plain'],
  ['Corporate 1000', 'corporate-1000'],
  ['desfire-ev3', undefined],
  [null, undefined],
])('the format %s is %s', (name, expected) => {
  expect(formatNamed(name)?.name).toBe(expected)
})

/** Facility code and number, with `<` where bytes were reversed. */
const short = (text: string) =>
  decodeCardNumber(text).map(
    ({ facility_code, number, is_reversed }) => `${is_reversed ? '<' : ''}${facility_code ?? ''}/${number}`,
  )

describe('decoding', () => {
  it.each([
    ['108,04711', ['108/4711']],
    ['108-4711', ['108/4711']],
    ['0004711', ['/4711']],
    [
      '7082599',
      [
        '/7082599',
        '108/4711',
        '13/266855',
        '6/791143',
        '</1729260544',
        '</6754924',
        '<103/4716',
        '<12/463468',
        '<6/463468',
      ],
    ],
    [
      '0007082599 108,04711',
      [
        '/7082599',
        '108/4711',
        '13/266855',
        '6/791143',
        '</1729260544',
        '</6754924',
        '<103/4716',
        '<12/463468',
        '<6/463468',
      ],
    ],
    [
      '10804711',
      [
        '/10804711',
        '/276842257',
        '10/318951',
        '108/4711',
        '128/18193',
        '164/56807',
        '20/318951',
        '264/18193',
        '4224/18193',
        '528/18193',
        '</15195556',
        '</289898512',
        '</3890062336',
        '<14/515492',
        '<231/56740',
        '<276/491536',
        '<28/515492',
        '<4423/32784',
        '<552/491536',
        '<71/32784',
      ],
    ],
    [
      '04A224B1',
      [
        '/77735089',
        '1186/9393',
        '148/140465',
        '162/9393',
        '74/140465',
        '</2971968004',
        '<2834/303620',
        '<36/41476',
        '<45348/41476',
        '<5668/303620',
      ],
    ],
    [
      'b1:24:a2:04',
      [
        '/2971968004',
        '2834/303620',
        '36/41476',
        '45348/41476',
        '5668/303620',
        '</77735089',
        '<1186/9393',
        '<148/140465',
        '<162/9393',
        '<74/140465',
      ],
    ],
    ['04:A2:24:B1:C2:5E:80', ['/1304178391670400', '</36132987307598340']],
    ['1304178391670400', ['/1304178391670400', '</36132987307598340']],
    ['6C1267', ['/7082599', '108/4711', '13/266855', '6/791143', '</6754924', '<103/4716', '<12/463468', '<6/463468']],
    ['garden gate', []],
    ['', []],
  ])('%s', (text, expected) => {
    expect(short(text).toSorted()).toEqual(expected.toSorted())
  })

  it('says which forms and formats a printed pair fits', () => {
    expect(decodeCardNumber('108,04711')).toEqual([
      {
        form: 'printed',
        facility_code: '108',
        number: '4711',
        formats: ['wiegand-26', 'wiegand-34', 'wiegand-37', 'corporate-1000'],
        is_reversed: false,
        parity: null,
      },
    ])
  })

  it('checks the parity of bits that were sent', () => {
    const right = '10110110000010010011001111'
    expect(decodeCardNumber(right)[0]).toMatchObject({
      form: 'binary',
      facility_code: '108',
      number: '4711',
      parity: 'right',
    })
    expect(decodeCardNumber(`0${right.slice(1)}`)[0]).toMatchObject({
      facility_code: '108',
      number: '4711',
      parity: 'wrong',
    })
  })

  const reversedForms = [
    '67126C',
    '67:12:6c',
    '67 12 6C',
    '0x67126C',
    '67126C00',
    '67-12-6C-00-00',
    '0067126C',
    '6754924',
    '1729260544',
  ]
  it.each(reversedForms)('%s is 108,4711 with its bytes reversed', (text) => {
    expect(short(text)).toEqual(expect.arrayContaining(['<108/4711', '</7082599']))
  })

  describe.each(cardFormats)('the bytes of $name in the other order', (format: CardFormat) => {
    const inOtherOrder = (value: bigint, bytes: number) =>
      Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex')
        .reverse()
        .toString('hex')
    /** Without a letter it may be a decimal number: bytes with something between them are none. */
    const separated = (digits: string) => digits.replace(/..(?!$)/g, '$&:')

    it('are read with parity and without, in hexadecimal and in decimal digits, filled up or not', () => {
      fc.assert(
        fc.property(card(format), fc.constantFrom(0, 1), (given, fill) => {
          const means = ({ facility_code, number, formats, is_reversed }: CardReading) =>
            is_reversed &&
            facility_code === (given.facility?.toString() ?? null) &&
            number === given.number.toString() &&
            formats.includes(format.name)
          const bytes = Math.ceil(format.bits / 8)
          const sent = inOtherOrder(writeBits(format, given), bytes)
          const isPalindrome = sent === inOtherOrder(BigInt(`0x${sent}`), bytes)
          if (!isPalindrome) expect(decodeCardNumber(separated(sent)).some(means)).toBe(true)
          if (!isPalindrome && !sent.startsWith('00'))
            expect(decodeCardNumber(BigInt(`0x${sent}`).toString()).some(means)).toBe(true)
          const whole = putTogether(format, given)
          const needed = Math.max(3, Math.ceil(whole.toString(16).length / 2)) + fill
          if (given.facility === undefined || given.facility === 0n || needed > 5) return
          const joined = inOtherOrder(whole, needed)
          if (joined !== inOtherOrder(BigInt(`0x${joined}`), needed))
            expect(decodeCardNumber(separated(joined)).some(means)).toBe(true)
        }),
      )
    })
  })

  it('a reversed number reversed again is what it was, for four and seven bytes', () => {
    fc.assert(
      fc.property(fc.constantFrom(4, 7), fc.nat(), fc.nat(), (bytes, high, low) => {
        const value = BigInt.asUintN(8 * bytes, (BigInt(high) << 31n) | BigInt(low))
        const digits = value.toString(16).padStart(2 * bytes, '0')
        const other = digits.match(/../g)?.toReversed().join('') ?? ''
        if (other === digits) return
        const numbers = decodeCardNumber(`0x${digits}`)
          .filter((found) => found.is_reversed)
          .map(({ number }) => BigInt(number))
        expect(numbers).toContain(BigInt(`0x${other}`))
      }),
    )
  })

  it('finds a card however it was stored', () => {
    const keys = decodeCardNumber('108,04711').flatMap((found) => keysOfReading('card', found))
    for (const stored of [key('4711', '108'), key('04711'), key('7082599'), key('108-4711'), key('0x6c1267')])
      expect(keys).toContain(stored)
  })

  it('takes whatever is typed', () => {
    fc.assert(fc.property(fc.string({ maxLength: 100 }), (text) => void decodeCardNumber(text)))
  })
})
