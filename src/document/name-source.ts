import { fileURLToPath } from 'node:url';
import { dirname, join, relative, sep } from 'node:path';

/**
 * What to call a text in a message: one on the disk relative to how the user named the document, one from
 * the network by its URL, without the credentials that may stand in it.
 *
 * @param input.source - the document as the user named it
 * @param input.base - the URL of that document
 * @param input.url - the URL of the text
 */
export function nameSource(input: {
  readonly source: string;
  readonly base: URL;
  readonly url: URL;
}): string {
  const { source, base, url } = input;
  if (url.protocol !== 'file:') {
    const shown = new URL(url);
    shown.username = '';
    shown.password = '';
    return shown.href;
  }
  if (base.protocol !== 'file:' || /^file:/iu.test(source)) {
    return fileURLToPath(url);
  }
  const inFolder = relative(dirname(fileURLToPath(base)), fileURLToPath(url));
  return url.href === base.href ? source : join(dirname(source), inFolder).replaceAll(sep, '/');
}
