import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import { answering } from '../file-program.ts'
import type { Form } from './form.ts'

const MARGIN = 56
const LINE = 16
const LABEL_WIDTH = 130
const SIGNATURE_HEIGHT = 90

// The fonts that every PDF reader has know no name with ł, ć or ő, nor a Cyrillic one.
const regular = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))
const bold = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'))

class Page {
  private readonly pdf: PDFKit.PDFDocument
  private readonly form: Form
  private y = MARGIN

  constructor(form: Form) {
    this.form = form
    const made = new Date(form.made)
    this.pdf = new PDFDocument({
      size: 'A4',
      margins: { top: MARGIN, right: MARGIN, bottom: MARGIN, left: MARGIN },
      bufferPages: true,
      lang: form.language,
      info: { Title: `${form.title} – ${form.organization}`, CreationDate: made, ModDate: made },
    })
    this.pdf.registerFont('regular', regular).registerFont('bold', bold)
  }

  private get width(): number {
    return this.pdf.page.width - 2 * MARGIN
  }

  /** Writes a text at the line and says how high it came to be. */
  private put(text: string, x: number, width: number, font: 'regular' | 'bold' = 'regular', size = 9.5): number {
    this.pdf.font(font).fontSize(size)
    const height = this.pdf.heightOfString(text === '' ? ' ' : text, { width })
    this.pdf.text(text, x, this.y, { width })
    return height
  }

  private need(height: number): boolean {
    if (this.y + height <= this.pdf.page.height - MARGIN - LINE) return false
    this.pdf.addPage()
    this.y = MARGIN
    return true
  }

  private rule(): void {
    this.pdf
      .lineWidth(0.5)
      .moveTo(MARGIN, this.y)
      .lineTo(MARGIN + this.width, this.y)
      .stroke()
  }

  head(): void {
    this.y += this.put(this.form.organization, MARGIN, this.width, 'bold', 11) + 10
    this.y += this.put(this.form.title, MARGIN, this.width, 'bold', 20) + 4
    this.y += this.put(this.form.reference, MARGIN, this.width, 'regular', 8) + LINE
    for (const [label, value] of this.form.lines) {
      const height = this.put(value, MARGIN + LABEL_WIDTH, this.width - LABEL_WIDTH)
      this.put(label, MARGIN, LABEL_WIDTH - 8, 'bold')
      this.y += Math.max(height, LINE - 4) + 3
    }
    this.y += LINE
  }

  private row(cells: readonly string[], font: 'regular' | 'bold'): void {
    let x = MARGIN
    let height = 0
    for (const [index, cell] of cells.entries()) {
      const width = this.width * (this.form.shares[index] ?? 0)
      height = Math.max(height, this.put(cell, x, width - 6, font, 8.5))
      x += width
    }
    this.y += height + 4
    this.rule()
    this.y += 4
  }

  table(): void {
    this.row(this.form.columns, 'bold')
    for (const cells of this.form.rows) {
      this.pdf.font('regular').fontSize(8.5)
      const heights = cells.map((cell, index) =>
        this.pdf.heightOfString(cell, { width: this.width * (this.form.shares[index] ?? 0) - 6 }),
      )
      if (this.need(Math.max(...heights) + 8)) this.row(this.form.columns, 'bold')
      this.row(cells, 'regular')
    }
  }

  foot(): void {
    const { notes, signatures } = this.form
    this.need(SIGNATURE_HEIGHT + notes.length * 3 * LINE)
    this.y += LINE / 2
    for (const note of notes) this.y += this.put(note, MARGIN, this.width, 'regular', 8.5) + 6
    this.y += SIGNATURE_HEIGHT - 2 * LINE
    const width = this.width / signatures.length
    for (const [index, label] of signatures.entries()) {
      const x = MARGIN + index * width
      this.pdf
        .lineWidth(0.5)
        .moveTo(x, this.y - 3)
        .lineTo(x + width - 14, this.y - 3)
        .stroke()
      this.put(label, x, width - 14, 'regular', 8)
    }
  }

  private numberPages(): void {
    const { count } = this.pdf.bufferedPageRange()
    for (let index = 0; index < count; index++) {
      this.pdf.switchToPage(index)
      // Below the margin, where a text would otherwise begin another page.
      this.pdf.page.margins.bottom = 0
      this.y = this.pdf.page.height - MARGIN + 8
      this.put(`${this.form.page} ${index + 1} / ${count}`, MARGIN, this.width, 'regular', 8)
    }
  }

  async bytes(): Promise<Uint8Array> {
    this.numberPages()
    const parts: Buffer[] = []
    const ended = new Promise<void>((resolve, reject) => this.pdf.once('end', resolve).once('error', reject))
    this.pdf.on('data', (part: Buffer) => parts.push(part))
    this.pdf.end()
    await ended
    return Buffer.concat(parts)
  }
}

answering((form: Form) => {
  const page = new Page(form)
  page.head()
  page.table()
  page.foot()
  return page.bytes()
})
