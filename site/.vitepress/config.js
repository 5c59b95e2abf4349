import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { sections } from '../pages.js';

const root = new URL('../../', import.meta.url);
const { description, homepage = 'https://cloche-api.github.io/cloche/' } = JSON.parse(
  readFileSync(new URL('package.json', root), 'utf8'),
);
const source = 'https://github.com/cloche-api/cloche';

/** Returns the id that GitHub gives a heading, so that links work there and on the site. */
function slugify(text) {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Points links to files outside docs/ to the repository. */
function linkToRepository(markdown) {
  const usual = markdown.renderer.rules.link_open ?? ((...all) => all[4].renderToken(all[0], all[1], all[2]));
  markdown.renderer.rules.link_open = (...all) => {
    const [tokens, index, , { relativePath }] = all;
    const href = tokens[index].attrGet('href');
    const path = /^[\w.]/u.test(href) && !href.includes(':') ? href.split('#', 1)[0] : undefined;
    const target = path && posix.join('docs', posix.dirname(relativePath), decodeURI(path));
    if (target !== undefined && !target.startsWith('docs/')) {
      if (!existsSync(fileURLToPath(new URL(target, root)))) {
        throw new Error(`Failed to link "${href}" in docs/${relativePath}: there is no such file.`);
      }
      const kind = target.endsWith('/') ? 'tree' : 'blob';
      tokens[index].attrSet('href', `${source}/${kind}/main/${target}${href.slice(path.length)}`);
    }
    return usual(...all);
  };
}

export default defineConfig({
  title: 'Cloche',
  description,
  lang: 'en',
  base: new URL(homepage).pathname,
  srcDir: process.argv.includes('dev') ? '../docs' : 'pages',
  outDir: 'dist',
  cleanUrls: false,
  markdown: {
    anchor: { slugify },
    config: (markdown) => markdown.use(linkToRepository),
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: source }],
    sidebar: sections.map(({ title, pages }) => ({
      text: title,
      items: pages.map(([text, file]) => ({ text, link: `/${file}` })),
    })),
  },
});
