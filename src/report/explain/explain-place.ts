import type { Contract } from '../../contract/contract.ts';
import type { JsonPointer } from '../../json/json-pointer.ts';
import type { ExplainedPlace } from './explanation.ts';

/** A place of a contract's root, as the user finds it in what they wrote. */
export function explainPlace(pointer: JsonPointer, contract: Contract): ExplainedPlace {
  const place = contract.placeOf(pointer);
  const location = contract.locate(place);
  return {
    pointer: place.pointer,
    ...(place.file === undefined ? {} : { file: place.file }),
    ...(location === undefined ? {} : { line: location.line }),
  };
}
