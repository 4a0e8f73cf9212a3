import type { Archive } from './archive.ts'
import { readWholeXml } from './xml.ts'

const MAX_BYTES = 128 * 1024 * 1024

/** The texts that cells refer to by number, as bytes: as many strings would take several times the room. */
export class SharedStrings {
  private bytes = Buffer.alloc(64 * 1024)
  private ends = new Uint32Array(1024)
  private count = 0
  private used = 0

  static async of(archive: Archive, name: string): Promise<SharedStrings> {
    const strings = new SharedStrings()
    const item = new ItemText()
    await readWholeXml(archive.text(name), {
      open: (name) => item.open(name),
      text: (text) => item.add(text),
      close: (name) => {
        item.close(name)
        if (name === 'si') strings.push(item.take())
      },
    })
    return strings
  }

  at(index: number): string {
    if (!(index >= 0 && index < this.count)) throw new Error('a cell refers to a text that is not there')
    return this.bytes.toString('utf8', index === 0 ? 0 : this.ends[index - 1], this.ends[index])
  }

  private push(text: string): void {
    const size = Buffer.byteLength(text)
    if (this.used + size > MAX_BYTES) throw new Error('the workbook holds too much text')
    if (this.used + size > this.bytes.length)
      this.bytes = Buffer.concat([this.bytes], Math.max(this.bytes.length * 2, this.used + size))
    if (this.count === this.ends.length) {
      const ends = new Uint32Array(this.count * 2)
      ends.set(this.ends)
      this.ends = ends
    }
    this.used += this.bytes.write(text, this.used)
    this.ends[this.count++] = this.used
  }
}

/** The text of an item: that of its runs, without how it is pronounced. */
export class ItemText {
  private text = ''
  private isText = false
  private isPhonetic = false

  open(name: string): void {
    if (name === 'rPh') this.isPhonetic = true
    if (name === 't') this.isText = !this.isPhonetic
  }

  add(text: string): void {
    if (this.isText) this.text += text
  }

  close(name: string): void {
    if (name === 'rPh') this.isPhonetic = false
    if (name === 't') this.isText = false
  }

  take(): string {
    const { text } = this
    this.text = ''
    return text
  }
}
