import type { DeclaredHeader, DeclaredResponse } from '../../contract/declared-response.ts';
import type { Operation } from '../../contract/operation.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { numberKey } from '../../json/number-key.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { SchemaReading } from '../../schema/schema-reading.ts';
import { renderText } from '../bodies/render-text.ts';
import { sampleHeaders } from '../bodies/sample-headers.ts';
import { chooseSentMedia } from '../bodies/sent-media.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import { pathOf } from '../steps/path-of.ts';
import type { ValidRequest } from './act.ts';
import { createResourceRenderer } from './answer-body.ts';
import { statusOf } from './success-response.ts';

/** Writes the answer to a create. */
export type WriteAnswer = (creation: {
  readonly request: ValidRequest;
  readonly resource: JsonObject;
  readonly exact: boolean;
  readonly key: JsonValue;
  readonly extras: JsonObject | undefined;
}) => MockAnswer;

function toSegment(key: JsonValue): string {
  const text =
    typeof key === 'number' || key instanceof ExactNumber
      ? numberKey(key)
      : typeof key === 'string'
        ? key
        : stringifyJson(key);
  // A lone surrogate has no UTF-8, and encodeURIComponent would throw.
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));
}

/**
 * The place of a new resource: a path, or a whole URL where the header's schema takes nothing else (RFC 9110
 * §10.2.2). Where it takes neither, a value that it does take.
 */
function createLocator(header: DeclaredHeader): (request: ValidRequest, key: JsonValue) => string {
  const validate = header.schema?.validator({ formats: 'assert', integers: 'by-value' });
  const takes = (place: string): boolean => validate === undefined || validate(place, false).length === 0;
  const [, sample = ''] = sampleHeaders([{ ...header, required: true }]);
  const lastResort = takes(sample) ? sample : undefined;
  return ({ head }, key) => {
    const path = `${pathOf(head.target)}/${toSegment(key)}`;
    if (takes(path)) {
      return path;
    }
    const url = `http://${head.header('host') ?? 'localhost'}${path}`;
    return takes(url) ? url : (lastResort ?? url);
  };
}

/** Prepares the answers of a create under its declared success response. */
export function createAnswerWriter(
  { operation, reading }: { readonly operation: Operation; readonly reading: SchemaReading },
  response: DeclaredResponse | undefined,
): WriteAnswer {
  const status = response === undefined ? 200 : statusOf(response);
  const sent = chooseSentMedia(response?.media ?? []);
  const schema = sent?.media.schema;
  const render = createResourceRenderer({ schema, examples: sent?.media.examples ?? [], reading });
  const location = response?.headers.find(({ name }) => name.toLowerCase() === 'location');
  const locate = location === undefined ? undefined : createLocator(location);
  const headers = [
    ...(sent === undefined ? [] : ['Content-Type', sent.contentType]),
    ...sampleHeaders(response?.headers ?? [], ['location']),
  ];
  const note = { operation: operation.id };

  function writeBody({ resource, exact, extras }: Parameters<WriteAnswer>[0]): string | undefined {
    if (sent === undefined) {
      return status === 204 ? undefined : '';
    }
    const body = render({ resource, exact, extras });
    if (!sent.isJson) {
      return renderText(sent.contentType, body.value);
    }
    return body.exact ? stringifyJson(body.value) : JSON.stringify(body.value);
  }

  return (creation) => ({
    status,
    headers:
      locate === undefined ? headers : [...headers, 'Location', locate(creation.request, creation.key)],
    body: writeBody(creation),
    note,
  });
}
