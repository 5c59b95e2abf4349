import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { launchChromium } from './chromium.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const paths = ['index.html', 'tutorials/frontend.html', 'reference/commands.html', 'api/cloche/msw.html'];
const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 360, height: 740 } },
];

/**
 * Opens some pages in light, dark and on a phone, and takes their screenshots.
 *
 * @returns violations of axe, messages of the console, requests to other hosts, and pages that are wider than the screen
 */
export async function inspectPages(url, folder) {
  const browser = await launchChromium();
  if (browser === undefined) {
    console.log('There is no Chromium: accessibility is not checked, and no screenshots are taken.');
    return [];
  }
  try {
    const problems = [];
    for (const { name, ...options } of looks) {
      const context = await browser.newContext({ ...options, locale: 'en' });
      for (const path of paths) {
        const found = await inspectPage(context, `${url}${path}`, url);
        await found.page.screenshot({
          path: join(folder, `${path.replaceAll('/', '-').replace('.html', '')}-${name}.png`),
        });
        problems.push(...found.problems.map((problem) => `${path} (${name}): ${problem}`));
      }
      await context.close();
    }
    problems.push(...(await searchPages(browser, url)));
    return problems;
  } finally {
    await browser.close();
  }
}

async function inspectPage(context, address, url) {
  const page = await context.newPage();
  const problems = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
      problems.push(`requests ${request.url()}`);
  });
  page.on('console', (message) => problems.push(`writes to the console: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(`throws ${error.message}`));
  await page.goto(address, { waitUntil: 'networkidle' });
  const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (width > 0) problems.push(`is ${width} pixels wider than the screen`);
  // The colors and names on a phone are those of the desktop.
  if (page.viewportSize().width < 500) return { page, problems };
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  for (const { id, nodes } of violations) {
    problems.push(`${id} in ${nodes.length} places, first ${nodes[0].target}: ${nodes[0].failureSummary}`);
  }
  return { page, problems };
}

/** Searches for a word that many pages have. */
async function searchPages(browser, url) {
  const page = await browser.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.locator('#localsearch-input').fill('baseline');
  const first = page.getByRole('option').first();
  const text = await first.textContent({ timeout: 15_000 }).catch(() => '');
  return /baseline/iu.test(text) ? [] : ['the search finds no page with "baseline"'];
}
