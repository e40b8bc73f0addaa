import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

import { gallery } from './build/gallery.ts';

// Relative addresses, so that the page works in any folder of any server.
export default defineConfig({
  base: './',
  plugins: [svelte(), gallery()],
  // The schema of scenarios is in docs/.
  server: { fs: { allow: ['..'] } },
  worker: { format: 'es' },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
