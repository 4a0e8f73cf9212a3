import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The server to talk to while the portal is being worked on: `npm run portal:dev`. */
const server = process.env.BASE_URL ?? 'http://127.0.0.1:8080'

/** Shared by many pages, yet wanted only once somebody opens a form: no part of the first load. */
const ofForms =
  /node_modules\/(@mantine\/form|react-number-format)\/|\/components\/(NumberInput|TagsInput|Textarea)\/|portal\/src\/(resource\/(forms\/(body-form|form-)|inputs\/(form-|windows-|days-|week|settings-|card-))|api\/generated\/bodies)/
/** Shared by many pages, and by none that somebody lands on. What they are made of is in the library. */
const seldom = /\/components\/(Tabs|FileButton)\//
/** Sentences for permissions are for pages of roles alone. */
const ofPortal = /portal\/src\/(api|shell|resource)\/(?!.*permissions)/

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // The policy allows no data: scripts or styles; every asset is a file of ours.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every page needs comes in a few files that stay the same from one version to the next.
          groups: [
            // By itself, so that it runs before everything else has.
            {
              name: 'start',
              test: /portal\/src\/(start|api\/client|i18n\/load)\.ts|packages\/client\/src\/(?!stream)/,
              priority: 4,
            },
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler|@tanstack)\//, priority: 3 },
            { name: 'seldom', test: seldom, priority: 3, includeDependenciesRecursively: false },
            {
              name: 'library',
              test: (id) => id.includes('node_modules') && !ofForms.test(id),
              minShareCount: 3,
              priority: 2,
            },
            { name: 'portal', test: (id) => ofPortal.test(id) && !ofForms.test(id), minShareCount: 3, priority: 1 },
            { name: 'forms', test: ofForms },
          ],
        },
      },
    },
  },
  server: {
    // The client lies beside the portal.
    fs: { allow: ['..'] },
    // The service takes changes from its own origin only.
    proxy: Object.fromEntries(
      ['/api', '/v1', '/docs', '/oauth'].map((path) => [
        path,
        { target: server, headers: { origin: server, 'sec-fetch-site': 'same-origin' } },
      ]),
    ),
  },
})
