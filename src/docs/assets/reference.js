// The pages work without this: it adds the filter, marks the place in the navigation and puts a copy button on code.
const nav = document.querySelector('#contents')
const filter = document.querySelector('#filter')

if (filter) {
  const box = filter.closest('.filter')
  const none = nav.querySelector('.none')
  const groups = [...nav.querySelectorAll('.nav-group')]
  let openBefore

  const apply = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean)
    openBefore ??= groups.filter((group) => group.open)
    let isAny = false
    for (const group of groups) {
      let isInGroup = false
      for (const link of group.querySelectorAll('a')) {
        const fits = words.every((word) => link.dataset.find.includes(word))
        link.parentElement.hidden = !fits
        isInGroup ||= fits
      }
      group.hidden = !isInGroup
      group.open = words.length > 0 ? isInGroup : openBefore.includes(group)
      isAny ||= isInGroup
    }
    none.hidden = isAny
    if (words.length === 0) openBefore = undefined
  }

  box.hidden = false
  filter.addEventListener('input', apply)
  filter.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      filter.value = ''
      apply()
    }
    if (event.key === 'Enter') nav.querySelector('.nav-group:not([hidden]) li:not([hidden]) a')?.click()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, [contenteditable]')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    filter.focus()
    filter.select()
  })

  const links = new Map([...nav.querySelectorAll('#operations a')].map((link) => [link.hash.slice(1), link]))
  const visible = new Set()
  let current
  let opened

  const mark = () => {
    const id = [...links.keys()].find((candidate) => visible.has(candidate))
    const link = links.get(id)
    if (link === current) return
    current?.removeAttribute('aria-current')
    current = link
    if (!link) return
    link.setAttribute('aria-current', 'location')
    if (filter.value !== '') return
    const group = link.closest('details')
    if (group !== opened) {
      // Only what the page itself opened is closed again.
      if (opened?.dataset.byPage) opened.open = false
      if (!group.open) {
        group.open = true
        group.dataset.byPage = 'true'
      }
      opened = group
    }
    const { top, bottom } = link.getBoundingClientRect()
    const frame = nav.getBoundingClientRect()
    if (top < frame.top + 80 || bottom > frame.bottom - 24) nav.scrollTop += top - frame.top - frame.height / 3
  }
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) visible.add(target.id)
        else visible.delete(target.id)
      }
      mark()
    },
    { rootMargin: '-15% 0px -70% 0px' },
  )
  for (const id of links.keys()) observer.observe(document.getElementById(id))
  for (const group of groups) group.querySelector('summary').addEventListener('click', () => delete group.dataset.byPage)
}

const reveal = () => {
  const fold = document.querySelector(':target')?.closest('main details')
  if (!fold || fold.open) return
  fold.open = true
  fold.scrollIntoView()
}
addEventListener('hashchange', reveal)
reveal()

if (navigator.clipboard) {
  for (const figure of document.querySelectorAll('figure.code:has(pre)')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('pre').textContent)
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1500)
    })
    figure.append(button)
  }
}
