// Lets the reader send an operation to this service, as whoever they are logged in as, or with a token of their own.
// The token stays in this page's memory: it is not stored, and gone when the page is.
let token = ''
let asked

const openapi = () => {
  asked ??= fetch('/api/v1/openapi.json').then((response) => response.json())
  return asked
}

const resolve = (spec, value) =>
  value?.$ref
    ? value.$ref
        .slice(2)
        .split('/')
        .reduce((node, key) => node[key], spec)
    : value

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

const field = (label, input) => make('label', { className: 'try-field' }, make('span', { textContent: label }), input)

function find(spec, id) {
  for (const [path, item] of Object.entries(spec.paths))
    for (const [method, operation] of Object.entries(item))
      if (operation.operationId?.toLowerCase() === id) return { method: method.toUpperCase(), path, operation }
  return undefined
}

const exampleOf = (parameter, spec) => {
  const example = parameter.example ?? resolve(spec, parameter.schema)?.examples?.[0]
  return example === undefined ? '' : String(example)
}

function form(article, spec, { method, path, operation }) {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(spec, parameter))
  const isOpen = operation.security?.length === 0
  const inputs = parameters.map((parameter) => {
    const isFixed = parameter.in === 'path' || parameter.required
    const input = make('input', {
      type: 'text',
      name: parameter.name,
      required: Boolean(isFixed),
      value: isFixed && parameter.in !== 'path' ? exampleOf(parameter, spec) : '',
      placeholder: exampleOf(parameter, spec),
      autocomplete: 'off',
      spellcheck: false,
    })
    return { parameter, input, isShown: isFixed || ['limit', 'dry_run', 'search'].includes(parameter.name) }
  })
  const [type, media] = Object.entries(resolve(spec, operation.requestBody)?.content ?? {})[0] ?? []
  const example = media && (media.example ?? Object.values(media.examples ?? {})[0]?.value)
  const body = media && make('textarea', { rows: 8, spellcheck: false })
  if (body) body.value = typeof example === 'string' ? example : JSON.stringify(example, null, 2)
  const tokenInput = make('input', {
    type: 'password',
    value: token,
    autocomplete: 'off',
    placeholder: 'Empty: your login here',
  })
  tokenInput.addEventListener('input', () => {
    token = tokenInput.value.trim()
  })
  const more = inputs.filter(({ isShown }) => !isShown)
  const answer = make('div', { className: 'try-answer' })
  answer.setAttribute('role', 'status')
  const send = make('button', {
    type: 'submit',
    className: `send ${method.toLowerCase()}`,
    textContent: `Send ${method}`,
  })
  const panel = make(
    'form',
    { className: 'try' },
    ...(isOpen ? [] : [field('Token', tokenInput)]),
    ...inputs.filter(({ isShown }) => isShown).map(({ parameter, input }) => field(parameter.name, input)),
    ...(more.length === 0
      ? []
      : [
          make(
            'details',
            { className: 'fold' },
            make('summary', { textContent: more.length === 1 ? '1 more parameter' : `${more.length} more parameters` }),
            ...more.map(({ parameter, input }) => field(parameter.name, input)),
          ),
        ]),
    ...(body ? [field('Body', body)] : []),
    send,
    answer,
  )
  panel.addEventListener('submit', async (event) => {
    event.preventDefault()
    send.disabled = true
    const query = new URLSearchParams()
    const headers = {}
    let target = path
    for (const { parameter, input } of inputs) {
      if (input.value === '') continue
      if (parameter.in === 'path') target = target.replace(`{${parameter.name}}`, encodeURIComponent(input.value))
      if (parameter.in === 'query') query.append(parameter.name, input.value)
      if (parameter.in === 'header') headers[parameter.name] = input.value
    }
    if (body) headers['content-type'] = type
    if (token !== '' && !isOpen) headers.authorization = `Token ${token}`
    const address = `${target}${query.size > 0 ? `?${query}` : ''}`
    try {
      answer.replaceChildren(...(await ask(method, address, headers, body?.value)))
    } catch {
      answer.replaceChildren(make('p', { textContent: 'The service cannot be reached.' }))
    }
    send.disabled = false
  })
  article.querySelector('.samples').prepend(panel)
  return panel
}

async function ask(method, address, headers, body) {
  const began = performance.now()
  // With a token the login is left out: the answer is what the token may see.
  const credentials = headers.authorization === undefined ? 'same-origin' : 'omit'
  const response = await fetch(address, { method, headers, credentials, ...(body === undefined ? {} : { body }) })
  const type = response.headers.get('content-type') ?? ''
  const shown = await shownOf(response, type)
  const took = Math.round(performance.now() - began)
  const line = `${method} ${address} → ${response.status}, ${took} ms, ${response.headers.get('x-request-id') ?? ''}`
  return [make('p', { className: response.ok ? 'ok' : 'bad', textContent: line }), shown]
}

/** What can be read is shown, and what cannot is there to be kept. */
async function shownOf(response, type) {
  if (/^(text\/|application\/([\w.-]+\+|x-nd)?json)/.test(type) || type === '') {
    const text = type.startsWith('text/event-stream') ? await beginningOf(response.body) : await response.text()
    const isJson = /^application\/([\w.-]+\+)?json/.test(type) && text !== ''
    const whole = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text
    const cut = whole.length > 200_000 ? `${whole.slice(0, 200_000)}\n…` : whole
    return make('figure', { className: 'code' }, make('pre', { tabIndex: 0 }, make('code', { textContent: cut })))
  }
  const blob = await response.blob()
  const [, name = 'answer'] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  const link = make('a', { href: URL.createObjectURL(blob), download: name, textContent: name })
  return make('p', {}, link, `, ${Math.ceil(blob.size / 1024)} KB`)
}

/** A stream has no end: what comes in the first seconds. */
async function beginningOf(body) {
  const reader = body.getReader()
  const end = setTimeout(() => reader.cancel(), 5000)
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
  }
  clearTimeout(end)
  return text
}

for (const article of document.querySelectorAll('article.operation')) {
  const button = make('button', { type: 'button', className: 'try-it', textContent: 'Try it' })
  button.setAttribute('aria-expanded', 'false')
  let panel
  button.addEventListener('click', async () => {
    if (!panel) {
      const spec = await openapi()
      const found = find(spec, article.id)
      if (!found) return
      panel = form(article, spec, found)
    } else panel.hidden = !panel.hidden
    button.setAttribute('aria-expanded', String(!panel.hidden))
    if (!panel.hidden) panel.querySelector('input, textarea, button')?.focus()
  })
  article.querySelector('.endpoint').append(button)
}
