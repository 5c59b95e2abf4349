import { ClocheError } from '../../errors/cloche-error.ts';
import { holdsExactNumber } from '../../json/holds-exact-number.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { renderText } from '../bodies/render-text.ts';
import { sampleValue } from '../bodies/sample-value.ts';
import type { SampleRequest, Sampler } from './sampler.ts';

/** The body of a sample answer. */
export interface SampleBody {
  readonly text: string;
  /** Whether it is what the document declares; else it stands in for a notation that is not known here. */
  readonly isDeclared: boolean;
}

/** Values for a response, the best first. Generators are loaded where all others were of no use. */
async function* makeValues(request: SampleRequest, sampler: Sampler): AsyncGenerator<JsonValue | undefined> {
  const { media } = request.sent;
  const schema = media.schema?.schema ?? true;
  const root = isJsonObject(schema) ? schema : {};
  yield sampler(request);
  yield* media.examples;
  yield sampleValue({ schema: root, root });
  const { plainValues } = await import('../../arbitrary/plain-values.ts');
  yield plainValues(media.schema, media.examples)?.smallest;
}

/**
 * Makes the body of a sample answer, valid against its declared schema. Where the schema speaks of a value
 * and the media type is not JSON, the notation is the document's example, else one of our own.
 *
 * @throws ClocheError DOCUMENT_INVALID where no JSON is found that the schema accepts
 */
export async function makeBody(request: SampleRequest, sampler: Sampler): Promise<SampleBody> {
  const { operation, sent } = request;
  const { media, isJson, contentType } = sent;
  const validate = media.schema?.validator({ formats: 'assert', integers: 'by-value' });
  const accepts = (value: JsonValue): boolean =>
    validate === undefined || validate(value, holdsExactNumber(value)).length === 0;
  const written = media.examples.find((example) => typeof example === 'string');
  for await (const value of makeValues(request, sampler)) {
    if (value === undefined || !accepts(value)) {
      continue;
    }
    if (isJson) {
      return { text: stringifyJson(value), isDeclared: true };
    }
    if (typeof value === 'string') {
      return { text: value, isDeclared: true };
    }
    return written === undefined
      ? { text: renderText(contentType, value), isDeclared: false }
      : { text: written, isDeclared: true };
  }
  if (!isJson) {
    return { text: written ?? '', isDeclared: written !== undefined };
  }
  throw new ClocheError('DOCUMENT_INVALID', {
    attempt: 'make a sample answer for',
    subject: operation.id,
    reason: `no value was found that the schema at ${media.schema?.pointer ?? media.pointer} accepts`,
    remedy: 'Give the response an example that its schema accepts',
  });
}
