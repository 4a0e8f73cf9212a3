// Searches all that the reference says: operations with their parameters, fields and errors, schemas, and the
// introduction.
const input = document.querySelector('#search')

if (input) {
  const contents = document.querySelector('#contents')
  const results = contents.querySelector('#results')
  const none = contents.querySelector('.none')
  const others = [...contents.querySelectorAll('#operations, #operations-caption, ul.plain, .caption')]
  const MOST = 40
  let entries

  const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

  const entry = (place, title, text, weight) => ({
    id: place.id,
    title,
    text: text.replace(/\s+/g, ' ').trim(),
    weight,
  })

  /** Read when somebody first searches: it is the whole page. */
  const read = () => [
    ...[...document.querySelectorAll('article.operation')].map((article) => {
      // Without the button that is put there.
      const path = [...article.querySelector('.endpoint').childNodes]
        .filter(({ nodeName }) => nodeName !== 'BUTTON')
        .map((part) => part.textContent)
        .join('')
      return {
        ...entry(
          article,
          article.querySelector('h3').firstChild.textContent.trim(),
          article.querySelector('.about').textContent,
          2,
        ),
        path,
      }
    }),
    ...[...document.querySelectorAll('details.schema')].map((schema) =>
      entry(schema, schema.querySelector('summary').textContent, schema.textContent, 1),
    ),
    ...[...document.querySelectorAll('.intro h2[id], .intro h3[id]')].map((heading) => {
      let text = ''
      for (
        let next = heading.nextElementSibling;
        next && !/^H[1-3]$/.test(next.tagName);
        next = next.nextElementSibling
      )
        text += ` ${next.textContent}`
      return entry(heading, heading.textContent.replace('#', '').trim(), text, 3)
    }),
  ]

  /** Every word must occur; where it occurs decides who comes first. Zero: one does not. */
  const score = (words, { folded, foldedTitle, foldedPath, weight }) => {
    let sum = weight
    for (const word of words) {
      if (foldedTitle.includes(word)) sum += 100
      else if (foldedPath.includes(word)) sum += 30
      else if (folded.includes(word)) sum += 5
      else return 0
    }
    return sum
  }

  const snippet = ({ text, folded }, word) => {
    const at = folded.indexOf(word)
    const line = document.createElement('small')
    if (at === -1) return line
    const from = Math.max(0, at - 40)
    const mark = document.createElement('mark')
    mark.textContent = text.slice(at, at + word.length)
    line.append(
      from > 0 ? '…' : '',
      text.slice(from, at),
      mark,
      text.slice(at + word.length, at + word.length + 60),
      '…',
    )
    return line
  }

  const show = () => {
    entries ??= read().map((one) => ({
      ...one,
      folded: fold(one.text),
      foldedTitle: fold(one.title),
      foldedPath: fold(one.path ?? ''),
    }))
    const words = fold(input.value).split(/\s+/).filter(Boolean)
    const found =
      words.length === 0 ? [] : entries.map((one) => ({ one, rank: score(words, one) })).filter(({ rank }) => rank > 0)
    found.sort((a, b) => b.rank - a.rank)
    results.replaceChildren(
      ...found.slice(0, MOST).map(({ one }) => {
        const item = document.createElement('li')
        const link = document.createElement('a')
        link.href = `#${one.id}`
        const title = document.createElement('span')
        title.textContent = one.title
        link.append(title)
        if (one.path) {
          const path = document.createElement('code')
          path.textContent = one.path
          link.append(path)
        }
        link.append(snippet(one, words.find((word) => !one.foldedTitle.includes(word)) ?? words[0]))
        item.append(link)
        return item
      }),
    )
    results.hidden = found.length === 0
    none.hidden = words.length === 0 || found.length > 0
    for (const other of others) other.hidden = words.length > 0
  }

  input.closest('.filter').hidden = false
  input.addEventListener('input', show)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      input.value = ''
      show()
    }
    if (event.key === 'Enter') results.querySelector('a')?.click()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}
