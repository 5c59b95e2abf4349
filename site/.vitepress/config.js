import { defineConfig } from 'vitepress';
import { sections } from '../pages.js';
import { description, findInRepository, homepage, source } from '../repository.js';

/** Returns the id that GitHub gives a heading, so that links work there and on the site. */
function slugify(text) {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Points links to files outside docs/ to the repository. */
function linkToRepository(markdown) {
  const usual = markdown.renderer.rules.link_open;
  markdown.renderer.rules.link_open = (...all) => {
    const [tokens, index, , { relativePath }] = all;
    const url = findInRepository(tokens[index].attrGet('href'), relativePath);
    if (url !== undefined) tokens[index].attrSet('href', url);
    return usual(...all);
  };
}

/** Shows two braces as they are: they start an expression in a template of Vue. */
function escapeBraces(markdown) {
  for (const name of ['text', 'code_inline', 'code_block']) {
    const usual = markdown.renderer.rules[name];
    markdown.renderer.rules[name] = (...all) => usual(...all).replaceAll('{{', '&#123;&#123;');
  }
}

/** A cloche, in a file less. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#5672cd"><circle cx="8" cy="2.5" r="1.5"/><path d="M2 12a6 8 0 0 1 12 0zM1 13h14v2H1z"/></svg>',
)}`;

export default defineConfig({
  title: 'Cloche',
  description,
  lang: 'en',
  base: new URL(homepage).pathname,
  // build.js adds the pages of the API.
  srcDir: process.argv.includes('dev') ? '../docs' : 'pages',
  outDir: 'dist',
  head: [['link', { rel: 'icon', href: icon }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    config: (markdown) => markdown.use(linkToRepository).use(escapeBraces),
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
