import type { JsonPointer } from '../json/json-pointer.ts';
import type { DeclaredResponse } from './declared-response.ts';
import type { OperationKind } from './operation-kind.ts';
import type { Parameter } from './parameter.ts';
import type { PathTemplate } from './path-template.ts';
import type { RequestBody } from './request-body.ts';
import type { SecurityAlternative } from './security.ts';

/** One method on one path of the document (OpenAPI 3.1 §4.8.10). */
export interface Operation {
  /** The operationId, or `POST /orders` where the document gives none. */
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  readonly path: PathTemplate;
  /** The place of the operation in the document. */
  readonly pointer: JsonPointer;
  /** Those of the path item included. */
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly DeclaredResponse[];
  /** Any one of these lets a request in; none at all means that no credentials are asked for. */
  readonly security: readonly SecurityAlternative[];
  readonly kind: OperationKind;
}
