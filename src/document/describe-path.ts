import { type JsonPointer, pointerTokens } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { resolvePointer } from './resolve-pointer.ts';

/**
 * A place in a document as people write it: `paths./orders.post.parameters[0]`.
 *
 * @returns the empty string for the whole document
 */
export function describePath(root: JsonValue, pointer: JsonPointer): string {
  let path = '';
  let around: JsonPointer = '';
  for (const [index, token] of pointerTokens(pointer).entries()) {
    const isItem = Array.isArray(resolvePointer(root, around));
    path += isItem ? `[${token}]` : `${index === 0 ? '' : '.'}${token}`;
    around = pointer
      .split('/')
      .slice(0, index + 2)
      .join('/');
  }
  return path;
}
