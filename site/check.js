// Checks the built site: the list of pages, links and anchors, requests to other hosts, accessibility, and the marked blocks of
// the pages. Takes the screenshots of screenshots/, to be looked at.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { extname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspectPages } from './inspect-pages.js';
import { listFiles } from './pages.js';
import { homepage } from './repository.js';
import { runAllBlocks } from './run-blocks.js';

const here = fileURLToPath(new URL('./', import.meta.url));
const dist = join(here, 'dist');
const base =
  /"base":"([^"]*)"/u.exec(readFileSync(join(dist, 'index.html'), 'utf8').replaceAll('\\"', '"'))?.[1] ?? '/';
const built = listIn(dist);

function listIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** Pages of docs/ that the list of pages lacks, and the reverse. */
function findMissingPages() {
  const listed = listFiles().filter((file) => !file.startsWith('api/'));
  const written = listIn(join(here, '../docs')).filter((file) => file.endsWith('.md'));
  return [
    ...written.filter((file) => !listed.includes(file)).map((file) => `site/pages.js lacks docs/${file}`),
    ...listed
      .filter((file) => !written.includes(file))
      .map((file) => `docs/${file} of site/pages.js does not exist`),
  ];
}

/** Links to pages, files and ids that do not exist, and links of scripts, styles and pictures to other hosts. */
function findBrokenLinks() {
  const pages = new Map(
    built
      .filter((file) => file.endsWith('.html'))
      .map((file) => [file, readFileSync(join(dist, file), 'utf8')]),
  );
  const ids = new Map(
    [...pages].map(([file, text]) => [
      file,
      new Set([...text.matchAll(/\sid="([^"]+)"/gu)].map(([, id]) => id)),
    ]),
  );
  return [...pages].flatMap(([file, text]) => {
    const links = [...text.matchAll(/<(\w+)[^>]*?\s(?:href|src)="([^"]*)"/gu)];
    return links.flatMap(([, tag, href]) => {
      const problem = judgeLink({ file, tag, href: href.replaceAll('&amp;', '&'), ids });
      return problem === undefined ? [] : [`${file}: ${problem}`];
    });
  });
}

function judgeLink({ file, tag, href, ids }) {
  if (href.startsWith('data:')) return undefined;
  if (/^(?:[a-z]+:|\/\/)/iu.test(href))
    return tag === 'a' ? undefined : `<${tag}> loads ${href} from another host`;
  const url = new URL(href, `http://localhost${base}${file}`);
  const path = decodeURIComponent(url.pathname).slice(base.length);
  const target = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  if (!built.includes(target)) return `there is no ${href}`;
  const id = decodeURIComponent(url.hash.slice(1));
  return id === '' || ids.get(target)?.has(id) === true ? undefined : `${href} has no such id`;
}

/** Links of llms.txt, and of the texts of the API, that lead nowhere. */
function findBrokenTexts() {
  const index = readFileSync(join(dist, 'llms.txt'), 'utf8');
  const links = [...index.matchAll(/\]\(([^)]+)\)/gu)].map(([, link]) => link);
  const ofApi = built
    .filter((file) => /^api\/.*\.md$/u.test(file))
    .flatMap((file) =>
      [...readFileSync(join(dist, file), 'utf8').matchAll(/\]\(([^):#]+\.md)/gu)]
        .map(([, href]) => posix.join(posix.dirname(file), href))
        .filter((target) => !built.includes(target))
        .map((target) => `${file}: there is no ${target}`),
    );
  return [
    ...links
      .filter((link) => !link.startsWith(homepage) || !built.includes(link.slice(homepage.length)))
      .map((link) => `llms.txt: there is no ${link}`),
    ...ofApi,
  ];
}

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** Serves dist/ under its base path. */
async function serve() {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname).slice(base.length);
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    if (!built.includes(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' });
    return response.end(readFileSync(join(dist, file)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const problems = [...findMissingPages(), ...findBrokenLinks(), ...findBrokenTexts()];
const server = await serve();
try {
  const url = `http://127.0.0.1:${server.address().port}${base}`;
  problems.push(...(await inspectPages(url, join(here, 'screenshots'))));
} finally {
  server.close();
}
for (const problem of problems) console.error(problem);
const isWhole = !process.argv.includes('--no-blocks');
const { pages, failed } = isWhole ? await runAllBlocks() : { pages: 0, failed: 0 };
const run = isWhole ? `${pages} pages run, ${failed} failed` : 'the blocks of pages are left out';
console.log(`${built.length} files, ${problems.length} problems; ${run}`);
if (problems.length + failed > 0 || (isWhole && pages === 0)) process.exitCode = 1;
