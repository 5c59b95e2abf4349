import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The URL of a document.
 *
 * @param source - a path, or an http, https or file URL
 */
export function toSourceUrl(source: string): URL {
  return /^(?:https?|file):/iu.test(source) ? new URL(source) : pathToFileURL(resolve(source));
}
