import 'openapi-explorer';

const dark = {
  'bg-color': '#121617',
  'text-color': '#e4e8e5',
  'header-color': '#7fd8a0',
  'primary-color': '#8cc8f2',
  'nav-bg-color': '#1a1f21',
  'nav-text-color': '#e4e8e5',
  'nav-hover-bg-color': '#22292b',
};
const light = { 'bg-color': '#ffffff', 'text-color': '#1c2320', 'primary-color': '#0a5a86' };

const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
const attributes = {
  'spec-url': new URL('document', document.baseURI).href,
  'server-url': location.origin,
  // The inspector sends requests, with examples and the log beside it.
  'hide-console': 'true',
  'hide-authentication': 'true',
  'hide-server-selection': 'true',
  ...(isDark ? dark : light),
};
const reference = document.createElement('openapi-explorer');
for (const [name, value] of Object.entries(attributes)) reference.setAttribute(name, value);
const link = document.createElement('a');
link.href = './';
link.textContent = 'Inspector of the mock';
link.slot = 'nav-header';
link.style.cssText = 'display: block; padding: 1rem 24px 0; color: #fff';
reference.append(link);
document.body.style.margin = '0';
document.body.append(reference);
