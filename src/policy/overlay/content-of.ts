import type { Contract } from '../../contract/contract.ts';
import type { DeclaredResponse } from '../../contract/declared-response.ts';
import { resolveObject } from '../../contract/resolve-object.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { isQuotable } from './is-quotable.ts';

/** The content of a declared response as the document has it; undefined where it cannot be said again elsewhere. */
export function contentOf(contract: Contract, { pointer }: DeclaredResponse): JsonObject | undefined {
  const content = resolveObject(contract.root, pointer)?.value['content'];
  return isJsonObject(content) && isQuotable(contract, content) ? content : undefined;
}
