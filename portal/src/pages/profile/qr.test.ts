import { describe, expect, it } from 'vitest'
import { qrCode } from './qr.ts'

const drawn = (text: string) =>
  qrCode(text)
    .map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''))
    .join('\n')
const uri =
  'otpauth://totp/Gatehouse:ada%40example.org?issuer=Gatehouse&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30'

describe('a QR code', () => {
  it('is what the standard asks for', () => {
    expect(drawn('Gatehouse').split('\n')).toEqual([
      '#######...#...#######',
      '#.....#..####.#.....#',
      '#.###.#..#..#.#.###.#',
      '#.###.#...#...#.###.#',
      '#.###.#..##.#.#.###.#',
      '#.....#.##.##.#.....#',
      '#######.#.#.#.#######',
      '.........#.##........',
      '#..#.##.#.#..#.#.....',
      '.#.......#...#..##.##',
      '..#.#####.#.#..#.##.#',
      '....#..#.#.#..#..#...',
      '..#####.##..#..###.##',
      '........####.#.......',
      '#######..#...#.#####.',
      '#.....#.######..#....',
      '#.###.#..#.#.####..#.',
      '#.###.#.####...###.##',
      '#.###.#..##.#..####.#',
      '#.....#..##..####....',
      '#######.#..##....#.#.',
    ])
  })

  // By the npm package qrcode 1.5.4, which draws the same; jsqr 1.4.0 reads them.
  it.each([
    ['Zürich', 'bfaaf242c4492c4ff11ee2370b4db58b73bfe8414daa37f50a28f0d3e85d2ae3'],
    [uri, '2f6b68ad1ddb1b7eae6da69983395eab2325aed1b1e13ca7b30ff9339f43cf6f'],
    ['x'.repeat(300), '2abaf9ed149140d46fff8f03cf322665362cc2e1bb0134fd0862de0f78f0c5c8'],
    ['y'.repeat(600), '3404cc87138850c423df27ec487dd12ba862675cca5666f641ff73ad0c6b82da'],
  ])('of %j is what another implementation draws', async (text, digest) => {
    const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(drawn(text))))
    expect(bytes.toHex()).toBe(digest)
  })

  it('of a text that is too long is refused', () => {
    expect(() => qrCode('z'.repeat(1000))).toThrow(RangeError)
  })
})
