import { pointerTokens } from '../json/json-pointer.ts';
import type { JsonObject } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { visitReferences } from './references/visit-references.ts';

/** A pointer as the fragment of a URL (RFC 6901 §6). */
function toFragment(pointer: string): string {
  const parts = pointerTokens(pointer).map((token) =>
    encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  return ['#', ...parts].join('/');
}

/**
 * A document as one JSON value that any tool reads: each reference in it is internal, and a URL fragment.
 *
 * @param root - as readDocument gives it; it stays as it is
 */
export function toBundle(root: JsonObject): JsonObject {
  const parsed = parseJson(stringifyJson(root));
  const copy = parsed.kind === 'json' && isJsonObject(parsed.value) ? parsed.value : root;
  visitReferences(copy, {
    reference(holder, reference) {
      holder['$ref'] = toFragment(reference.slice(1));
    },
  });
  return copy;
}
