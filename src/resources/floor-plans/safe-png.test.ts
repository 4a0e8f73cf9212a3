import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Refused } from './refused.ts'
import { safePng } from './safe-png.ts'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

function head(width: number, height: number, [depth, colour, packing, filter, interlace] = [8, 2, 0, 0, 0]): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([depth ?? 0, colour ?? 0, packing ?? 0, filter ?? 0, interlace ?? 0], 8)
  return chunk('IHDR', data)
}

const pixels = (bytes: number) => chunk('IDAT', deflateSync(Buffer.alloc(bytes)))
const end = chunk('IEND')
/** Four by three, in colour. */
const picture = pixels(3 * (1 + 4 * 3))
const png = (...chunks: Buffer[]) => Buffer.concat([SIGNATURE, ...chunks])
const whole = png(head(4, 3), picture, end)

describe('a PNG', () => {
  it('that is whole is taken as it is', async () => {
    expect(await safePng(whole)).toEqual({ bytes: whole, width: 4, height: 3, removed: [] })
  })

  it('loses what is no part of the picture', async () => {
    const extra = [
      chunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>')),
      chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(1_000_000))])),
      chunk('iTXt', Buffer.from('a')),
      chunk('eXIf', Buffer.from('GPS')),
      chunk('iCCP', Buffer.from('x\0\0')),
      chunk('acTL', Buffer.alloc(8)),
    ]
    expect((await safePng(png(head(4, 3), ...extra, picture, end))).bytes).toEqual(whole)
  })

  it.each([
    ['with a palette', png(head(4, 3, [1, 3, 0, 0, 0]), chunk('PLTE', Buffer.alloc(6)), pixels(3 * 2), end)],
    ['with sixteen bits and transparency', png(head(4, 3, [16, 6, 0, 0, 0]), pixels(3 * (1 + 4 * 8)), end)],
    ['in passes', png(head(1, 1, [8, 0, 0, 0, 1]), pixels(2), end)],
    ['in passes, larger', png(head(4, 3, [8, 0, 0, 0, 1]), pixels(2 + 2 + 3 + 3 * 2 - 3 + 5 + 2 + 1), end)],
    ['in pieces', png(head(4, 3), ...pieces(), end)],
  ])('%s is taken', async (_what, file) => {
    expect((await safePng(file)).bytes).toEqual(file)
  })

  it.each([
    ['that is no PNG', Buffer.from('<svg/>'), /no PNG/],
    ['that is a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), /no PNG/],
    ['of nothing but its beginning', SIGNATURE, /how large/],
    ['cut off', whole.subarray(0, -20), /too early/],
    ['without an end', png(head(4, 3), picture), /put together/],
    ['that goes on after its end', Buffer.concat([whole, Buffer.from('<script>')]), /after its end/],
    ['with a wrong sum', flipped(whole), /damaged/],
    [
      'with a length beyond its end',
      png(Buffer.from([0xff, 0xff, 0xff, 0xff, 0x49, 0x44, 0x41, 0x54, 0, 0, 0, 0])),
      /too early/,
    ],
    ['without a head', png(picture, end), /how large/],
    ['with two heads', png(head(4, 3), head(9, 9), picture, end), /put together/],
    ['without a picture', png(head(4, 3), end), /put together/],
    [
      'with something between the pieces of the picture',
      png(head(4, 3), picture, chunk('tEXt'), picture, end),
      /put together/,
    ],
    ['with something that one must know', png(head(4, 3), chunk('EVIL'), picture, end), /put together/],
    ['with a palette that is missing', png(head(4, 3, [8, 3, 0, 0, 0]), pixels(15), end), /put together/],
    ['of a kind that there is not', png(head(4, 3, [7, 2, 0, 0, 0]), picture, end), /kind/],
    ['packed in another way', png(head(4, 3, [8, 2, 1, 0, 0]), picture, end), /kind/],
    ['of no width', png(head(0, 3), picture, end), /kind/],
    ['wider than is shown', png(head(10_001, 1), picture, end), /at most 10000/],
    ['of the largest size there is', png(head(0xffffffff, 0xffffffff), picture, end), /at most 10000/],
    ['with more pixels than are shown', png(head(10_000, 10_000), picture, end), /25 million/],
    ['that unpacks to more than it says', png(head(4, 3), pixels(50_000_000), end), /another picture/],
    ['that unpacks to less than it says', png(head(5000, 5000), pixels(10), end), /another picture/],
    ['whose picture is not packed', png(head(4, 3), chunk('IDAT', Buffer.from('nothing')), end), /damaged/],
    [
      'whose picture is cut off',
      png(head(4, 3), chunk('IDAT', deflateSync(Buffer.alloc(39)).subarray(0, 6)), end),
      /damaged/,
    ],
  ])('%s is refused', async (_what, file, message) => {
    const refusal = await safePng(file).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refused)
    expect((refusal as Error).message).toMatch(message)
  })
})

function pieces(): Buffer[] {
  const packed = deflateSync(Buffer.alloc(39))
  return [chunk('IDAT', packed.subarray(0, 5)), chunk('IDAT', packed.subarray(5))]
}

function flipped(file: Buffer): Buffer {
  const copy = Buffer.from(file)
  copy[45] = (copy[45] ?? 0) ^ 1
  return copy
}
