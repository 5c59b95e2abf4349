import type { JsonValue } from '../../json/json-value.ts';
import type { OuterReference } from './family.ts';
import { toInternalPointer } from './to-internal-pointer.ts';
import { visitReferences } from './visit-references.ts';

/**
 * The references of a text to other texts. Those that name the text itself are made plain: `#/…`.
 *
 * @param url - of the text, against which relative references are resolved (RFC 3986 §5)
 */
export function findOuterReferences(root: JsonValue, url: URL): readonly OuterReference[] {
  const found: OuterReference[] = [];
  visitReferences(root, {
    reference(holder, reference, pointer) {
      if (reference.startsWith('#') || !URL.canParse(reference, url.href)) {
        return;
      }
      const resolved = new URL(reference, url.href);
      const fragment = resolved.hash;
      resolved.hash = '';
      if (resolved.href === withoutFragment(url)) {
        holder['$ref'] = fragment === '' ? '#' : fragment;
        return;
      }
      // A fragment that is no pointer leads to nothing, as a pointer that no text has does.
      const targetPointer = fragment === '' ? '' : (toInternalPointer(fragment) ?? `/${fragment}`);
      found.push({ holder, pointer, reference, target: resolved.href, targetPointer });
    },
  });
  return found;
}

/** The URL of a whole text. */
export function withoutFragment(url: URL): string {
  const whole = new URL(url);
  whole.hash = '';
  return whole.href;
}
