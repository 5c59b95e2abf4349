import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// Chromium of the system. Without these lines, Playwright uses the browser that `npx playwright install` downloads.
const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));
// Chromium refuses to run as root inside its sandbox, as in a container.
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export default defineConfig({
  testMatch: executablePath === undefined ? [] : 'page.spec.js',
  reporter: 'line',
  outputDir: '../../node_modules/.cache/playwright-example',
  use: { launchOptions: { executablePath, args } },
});
