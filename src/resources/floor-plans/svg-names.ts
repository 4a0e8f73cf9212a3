const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

export const SVG = 'http://www.w3.org/2000/svg'
export const XLINK = 'http://www.w3.org/1999/xlink'

/** What draws, and what says how. No script, no link, nothing from elsewhere, nothing that moves, no filter. */
export const elements = words(`
  svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath title desc style
  linearGradient radialGradient stop clipPath mask pattern marker`)

/** What stands in these is drawn without them. */
export const wrappers = words('a switch')

/** Elements whose text is shown, or read. */
export const texts = words('text tspan textPath title desc')

/** What may also be said in a style. */
export const properties = words(`
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-rendering direction
  display dominant-baseline fill fill-opacity fill-rule font font-family font-size font-size-adjust font-stretch
  font-style font-variant font-weight image-rendering isolation letter-spacing line-height marker marker-end
  marker-mid marker-start mask mask-type mix-blend-mode opacity overflow paint-order pointer-events shape-rendering
  stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-opacity stroke-width text-align text-anchor text-decoration text-rendering transform transform-origin
  unicode-bidi vector-effect visibility white-space word-spacing writing-mode`)

export const attributes: ReadonlySet<string> = new Set([
  ...properties,
  ...words(`
  class clipPathUnits cx cy d dx dy fr fx fy gradientTransform gradientUnits height id lengthAdjust markerHeight
  markerUnits markerWidth maskContentUnits maskUnits method offset orient pathLength patternContentUnits
  patternTransform patternUnits points preserveAspectRatio r refX refY rotate rx ry side spacing spreadMethod
  startOffset style textLength viewBox width x x1 x2 y y1 y2`),
])

/** What a value may work with. `url` names a part of the same image, and nothing else. */
export const functions = words(
  'matrix translate translateX translateY scale scaleX scaleY rotate skewX skewY rgb rgba hsl hsla calc url',
)
