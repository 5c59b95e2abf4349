import { isAbsolute, relative } from 'node:path';

/** A document as it is named in what is printed: from the current folder on, where it lies below it. */
export function showSource(source: string): string {
  const short = isAbsolute(source) ? relative(process.cwd(), source) : source;
  return short === '' || short.startsWith('..') ? source : short;
}
