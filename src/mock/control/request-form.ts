import type { Operation, SecurityAlternative } from '../../contract/contract.ts';
import type { Parameter } from '../../contract/read-parameters.ts';
import { indentJson, stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import { acceptsValue } from '../../schema/compile.ts';
import { sampleValue } from '../../schema/value/sample-value.ts';
import type { RequestForm } from './calls.ts';

type FormField = RequestForm['parameters'][number];

/** Lists the alternative credentials that an operation requires: any one of these, with all of its schemes. */
export function listCredentials({ security }: Pick<Operation, 'security'>): readonly SecurityAlternative[] {
  // An unchecked scheme accepts every request.
  const judged = security.map((schemes) => schemes.filter(({ kind }) => kind !== 'unjudged'));
  return judged.some((schemes) => schemes.length === 0) ? [] : judged;
}

/** Returns content that an operation accepts as JSON; undefined if it accepts none, or none can be generated. */
export function makeExampleBody({ requestBody }: Pick<Operation, 'requestBody'>): JsonValue | undefined {
  const media = requestBody?.media.find(({ range }) => range === 'application/json');
  const made: readonly (JsonValue | undefined)[] = [
    ...(media?.examples ?? []),
    media?.schema && sampleValue(media.schema.schema),
  ];
  return made.find((value) => value !== undefined && media?.schema && acceptsValue(media.schema, value));
}

function toText(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map(toText).join(',');
  return typeof value === 'string' ? value : stringifyJson(value);
}

function toField({ name, in: place, required, schema, examples }: Parameter): readonly FormField[] {
  if (place === 'cookie' || place === 'querystring') return [];
  const value = examples[0] ?? (required && schema ? sampleValue(schema.schema) : undefined);
  return [{ name, in: place, required, value: toText(value) }];
}

/** Returns the fields of the first alternative of credentials, with a value that a mock without tokens accepts. */
function listCredentialFields(operation: Operation): readonly FormField[] {
  const [first = []] = listCredentials(operation);
  return first.flatMap((scheme): readonly FormField[] => {
    if (scheme.kind === 'unjudged') return [];
    if (scheme.kind === 'api-key') {
      const { parameter: name, in: place } = scheme;
      return place === 'cookie' ? [] : [{ name, in: place, required: true, value: 'any' }];
    }
    const value = scheme.kind === 'basic' ? `Basic ${btoa('user:any')}` : 'Bearer any';
    return [{ name: 'Authorization', in: 'header', required: true, value }];
  });
}

/** Returns the parts of a request to an operation, with examples of the document or generated values. */
export function createRequestForm(operation: Operation): RequestForm {
  const { method, path, parameters, requestBody } = operation;
  const body = makeExampleBody(operation);
  const mediaType =
    body === undefined ? requestBody?.media.find(({ range }) => !range.includes('*'))?.range : undefined;
  return {
    method,
    path: path.template,
    parameters: [...listCredentialFields(operation), ...parameters.flatMap(toField)],
    body: requestBody && {
      mediaType: mediaType ?? 'application/json',
      text: body === undefined ? '' : indentJson(body),
    },
  };
}
