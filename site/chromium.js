import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));

/** Starts the browser of this machine; undefined if it has none. */
export async function launchChromium() {
  if (executablePath === undefined) return undefined;
  // Chromium refuses to run as root inside its sandbox.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({
    executablePath,
    args: [...args, '--disable-gpu', '--disable-background-networking'],
  });
}
