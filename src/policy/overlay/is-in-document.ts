import type { Contract } from '../../contract/contract.ts';
import type { JsonPointer } from '../../json/json-pointer.ts';

/** Whether a place of a contract's root is called the same in the text of the document itself, not in another file. */
export function isInDocument(contract: Contract, pointer: JsonPointer): boolean {
  const place = contract.placeOf(pointer);
  return place.file === undefined && place.pointer === pointer;
}
