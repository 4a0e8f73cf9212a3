// The pages work without this: it marks the place in the navigation and puts a copy button on code.
const nav = document.querySelector('#contents')

if (nav?.querySelector('#operations')) {
  const groups = [...nav.querySelectorAll('.nav-group')]
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
  for (const group of groups)
    group.querySelector('summary').addEventListener('click', () => delete group.dataset.byPage)
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
