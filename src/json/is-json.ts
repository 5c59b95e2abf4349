import { exceedsDepth } from './exceeds-depth.ts';

/**
 * Whether a text is JSON (RFC 8259), as parseJson takes it. It says no more, and costs a small part of finding
 * out why a text is none.
 *
 * @param maxDepth - how many arrays and objects may stand in each other
 */
export function isJson(text: string, maxDepth: number): boolean {
  if (text.length > maxDepth && exceedsDepth(text, maxDepth)) {
    return false;
  }
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
