import type { PathSegment, PathTemplate } from './path-template.ts';

function parseSegment(text: string): PathSegment {
  const names = [...text.matchAll(/\{([^{}]+)\}/gu)].map((match) => match[1] ?? '');
  const [name] = names;
  if (name === undefined) {
    return { kind: 'literal', text };
  }
  if (text === `{${name}}`) {
    return { kind: 'parameter', name };
  }
  const literals = text
    .split(/\{[^{}]+\}/u)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`));
  return { kind: 'mixed', pattern: new RegExp(`^${literals.join('(.+?)')}$`, 'u'), names };
}

/** Cuts a path of a document at its slashes (OpenAPI 3.1 §4.8.8.1). */
export function parsePathTemplate(template: string): PathTemplate {
  return { template, segments: template.split('/').slice(1).map(parseSegment) };
}
