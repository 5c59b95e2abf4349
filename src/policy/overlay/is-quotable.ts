import type { Contract } from '../../contract/contract.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { isInDocument } from './is-in-document.ts';

/** Whether a part of a contract's root means the same elsewhere in the document: each reference in it leads to there. */
export function isQuotable(contract: Contract, value: JsonValue): boolean {
  if (Array.isArray(value)) {
    return value.every((item) => isQuotable(contract, item));
  }
  if (!isJsonObject(value)) {
    return true;
  }
  const { $ref: reference } = value;
  return (
    (typeof reference !== 'string' || isInDocument(contract, reference.replace(/^#/u, ''))) &&
    Object.values(value).every((member) => isQuotable(contract, member))
  );
}
