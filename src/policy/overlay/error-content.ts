import type { Contract } from '../../contract/contract.ts';
import { listErrorResponses } from '../../contract/list-error-responses.ts';
import type { Operation } from '../../contract/operation.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { contentOf } from './content-of.ts';

/** The error of a document that declares none, whose services answer with objects of their own. */
const plainContent: JsonObject = { 'application/json': { schema: { type: 'object' } } };

/**
 * The content of an error that no response of the document declares: that of an error the operation declares, else of one
 * that any operation declares, else an object.
 */
export function errorContent(contract: Contract, operation: Operation): JsonObject {
  for (const declaring of [operation, ...contract.operations]) {
    const content = listErrorResponses(declaring)
      .map((response) => contentOf(contract, response))
      .find((each) => each !== undefined);
    if (content !== undefined) {
      return content;
    }
  }
  return plainContent;
}
