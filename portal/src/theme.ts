import { createTheme, type MantineColorsTuple } from '@mantine/core'

/** One accent, strong enough for white text on it and for itself on white. */
const brand: MantineColorsTuple = [
  '#eef3ff',
  '#dce5fc',
  '#b8c9f7',
  '#90abf1',
  '#6f91ec',
  '#5478e4',
  '#3f63d8',
  '#3453bd',
  '#2b459d',
  '#223777',
]
const gray: MantineColorsTuple = [
  '#fafafa',
  '#f4f4f5',
  '#e9e9ec',
  '#dcdce0',
  '#c2c3c9',
  '#9a9ba3',
  '#6b6d76',
  '#4c4e57',
  '#33353c',
  '#1d1e23',
]
const dark: MantineColorsTuple = [
  '#d7d8dd',
  '#b3b5bd',
  '#95979f',
  '#5c5f69',
  '#3b3d45',
  '#2c2e35',
  '#222329',
  '#191a1f',
  '#131418',
  '#0c0d10',
]

/** Dark enough in the middle for white text on it. */
const red: MantineColorsTuple = [
  '#fff1f0',
  '#ffe1df',
  '#fec4c1',
  '#fa9c98',
  '#f4706b',
  '#e5484d',
  '#d13438',
  '#b4262b',
  '#942025',
  '#731a1e',
]

const SYSTEM = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif'
const MONO = 'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace'

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 6, dark: 6 },
  colors: { brand, gray, dark, red },
  fontFamily: SYSTEM,
  fontFamilyMonospace: MONO,
  defaultRadius: 'md',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
      h4: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h5: { fontSize: '0.8125rem', lineHeight: '1.4' },
    },
  },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  cursorType: 'pointer',
  autoContrast: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    // Hints below: inputs side by side stay in line.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    TextInput: { defaultProps: { size: 'sm' } },
    Modal: { defaultProps: { radius: 'lg', overlayProps: { backgroundOpacity: 0.4 } } },
    Drawer: { defaultProps: { overlayProps: { backgroundOpacity: 0.4 } } },
    Badge: { defaultProps: { radius: 'sm', tt: 'none', fw: 500 } },
    // What it would put in first place is no item of a menu.
    Menu: { defaultProps: { shadow: 'md', withInitialFocusPlaceholder: false } },
    // The list itself scrolls: a box around it would want a tab stop of its own.
    Select: { defaultProps: { withScrollArea: false, openOnFocus: false } },
    MultiSelect: { defaultProps: { withScrollArea: false, openOnFocus: false } },
    Tooltip: { defaultProps: { openDelay: 300 } },
  },
})
