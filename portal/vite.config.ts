import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The server to talk to while the portal is being worked on: `npm run portal:dev`. */
const server = process.env.BASE_URL ?? 'http://127.0.0.1:8080'

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
        advancedChunks: {
          // What every page needs comes in a few files that stay the same from one version to the next.
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler|@tanstack)\//, priority: 2 },
            { name: 'library', test: /node_modules/, minShareCount: 3, priority: 1 },
            { name: 'portal', test: /portal\/src\/(api|shell|resource)\//, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: {
    // The service takes changes from its own origin only.
    proxy: Object.fromEntries(
      ['/api', '/v1', '/docs', '/oauth'].map((path) => [
        path,
        { target: server, headers: { origin: server, 'sec-fetch-site': 'same-origin' } },
      ]),
    ),
  },
})
