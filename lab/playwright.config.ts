import { defineConfig } from '@playwright/test';

// Debian's Chromium, or the one that the variable names. Nothing is fetched.
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  timeout: 120_000,
  workers: 2,
  // A browser on a busy machine may miss a wait; what passes at the second try is listed as flaky.
  retries: 1,
  fullyParallel: true,
  reporter: [['list']],
  use: {
    baseURL: 'http://127.0.0.1:4174',
    launchOptions: { executablePath: chromium, args: ['--no-sandbox'] },
  },
  webServer: {
    command: 'npm exec -- vite preview --port 4174 --strictPort --host 127.0.0.1',
    url: 'http://127.0.0.1:4174',
    reuseExistingServer: false,
  },
});
