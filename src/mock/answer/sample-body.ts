import type { MediaTypeContract, Operation } from '../../contract/contract.ts';
import { textBytes } from '../../http/bytes.ts';
import { isStructured, jsonCodec } from '../../http/codecs/registry.ts';
import { sampleFile } from '../../http/sample-files.ts';
import { memberAt } from '../../json/pointer.ts';
import { holdsExactNumber, isJsonObject, type JsonValue } from '../../json/value.ts';
import { acceptsValue, strictMode } from '../../schema/compile.ts';
import { describeSchemaProblem } from '../../schema/describe-problem.ts';
import type { MockResponse, SampleSource } from '../message.ts';
import { type SentMedia, writeContent, writesAnyValue } from './representation.ts';
import {
  type ValueFromNames,
  generateValue,
  preferredValues,
  sampleValue,
  shownValues,
  typeOf,
} from '../../schema/value/sample-value.ts';
import { mergeSchema } from '../../schema/merge.ts';

/** Settings for the generation of samples. */
export interface Sampling {
  readonly seed: number | string;
  /** Loads the generator of values. */
  readonly loadWords: () => Promise<ValueFromNames>;
}

interface SampleRequest extends Sampling {
  /** Its id is a part of the seed, and its path names the values. */
  readonly operation: Pick<Operation, 'id'> & { readonly path: Pick<Operation['path'], 'template'> };
  readonly sent: SentMedia;
  /** Whether to generate a body even if the document has examples. */
  readonly ignoresExamples?: boolean;
  /** The keyword of properties that are left out. @defaultValue 'writeOnly' */
  readonly without?: 'readOnly' | 'writeOnly';
}

/** A body that does not come from the state. */
export interface SampleBody {
  readonly content: NonNullable<MockResponse['body']>;
  /** False for a fallback, if only an example could show the notation. */
  readonly isDeclared: boolean;
  readonly source: SampleSource;
  /** Why its schema rejects it, in words without a full stop; omitted if the schema accepts it. */
  readonly mismatch?: string;
}

type Candidate = readonly [value: JsonValue | undefined, source: SampleSource];

/** Yields values for a response, the best first. A generator is loaded only if the values before it were unusable. */
async function* makeValues(request: SampleRequest): AsyncGenerator<Candidate> {
  const { operation, sent, seed, loadWords, ignoresExamples = false, without = 'writeOnly' } = request;
  const { media } = sent;
  const schema = media.schema?.schema ?? true;
  const given = preferredValues(mergeSchema(isJsonObject(schema) ? schema : {}, schema));
  const examples = [...media.examples, ...given].map((example): Candidate => [example, 'example']);
  if (!ignoresExamples) yield* examples;
  if (media.schema !== undefined) {
    const names = operation.path.template.split('/').filter((part) => part !== '' && !part.includes('{'));
    const valueFromNames = await loadWords();
    const generated = {
      valueFromNames,
      names,
      seed: `${seed} ${operation.id}`,
      without,
      ignoresExamples,
    } as const;
    yield [generateValue(schema, generated), 'generated'];
  }
  yield [sampleValue(schema), 'generated'];
  const { fewTries, plainValues } = await import('../../arbitrary/from-schema.ts');
  yield [plainValues(media.schema, media.examples, fewTries)?.smallest, 'generated'];
  yield* examples;
}

/**
 * Returns the first example of a body that its schema accepts; undefined if there is none.
 *
 * @param path - the path of names to a value that the example must contain
 */
export function shownExample(
  media: Pick<MediaTypeContract, 'schema' | 'examples'> | undefined,
  path: readonly string[] = [],
): JsonValue | undefined {
  const examples = media?.examples.filter((example) => memberAt(example, path) !== undefined) ?? [];
  if (examples.length === 0) return undefined;
  return examples.find((example) => acceptsValue(media?.schema, example));
}

/** Returns whether the simplest value that can be generated for a declared schema fits it. */
export function fitsPlainly({ media: { schema } }: SentMedia): boolean {
  // Without the examples of objects, which may be large: they are tried if the simpler value does not fit.
  const value = schema && sampleValue(schema.schema, () => undefined);
  return value !== undefined && acceptsValue(schema, value);
}

/**
 * Generates the body of a sample that is valid against its declared schema: a valid example of the document, or else a
 * generated value. If no valid value is found, it is the one with the fewest errors. If the schema describes a value
 * and the media type is not JSON, the notation is that of the document's example, else that of the media type, else
 * JSON, which is undeclared. Undefined if no value was generated.
 */
export async function makeSampleBody(request: SampleRequest): Promise<SampleBody | undefined> {
  const file = findFile(request);
  if (file !== undefined) return file;
  const { sent } = request;
  const { media } = sent;
  const mismatches: (readonly [JsonValue, SampleSource])[] = [];
  const written = media.examples.find((example) => typeof example === 'string');
  const asWritten = written === undefined ? undefined : toBody(writeContent(sent, written), 'example');
  for await (const [value, source] of makeValues(request)) {
    if (value === undefined) continue;
    const read = typeof value === 'string' ? readWritten(sent, value) : undefined;
    if (read !== undefined && acceptsValue(media.schema, read)) {
      return toBody(writeContent(sent, value), source);
    }
    if (!acceptsValue(media.schema, value)) {
      mismatches.push([value, source]);
      continue;
    }
    const content = writeContent(sent, value);
    if (isStructured(sent) || typeof value === 'string') return toBody(content, source);
    return asWritten ?? { content, isDeclared: writesAnyValue(sent), source };
  }
  // Describing an error takes longer than detecting it.
  let best: { readonly candidate: SampleBody; readonly problems: number } | undefined;
  for (const [value, source] of mismatches) {
    const problems = media.schema?.validator(strictMode)(value, holdsExactNumber(value)) ?? [];
    const [problem] = problems;
    if (problem === undefined || !(isStructured(sent) || typeof value === 'string')) continue;
    if (problems.length < (best?.problems ?? Infinity)) {
      const mismatch = describeSchemaProblem({ problem, value });
      const candidate = { content: writeContent(sent, value), isDeclared: false, source, mismatch };
      best = { candidate, problems: problems.length };
    }
  }
  if (isStructured(sent)) return best?.candidate;
  return asWritten ?? best?.candidate ?? { content: '', isDeclared: false, source: 'empty' };
}

/** Returns the value of an example that is written in its notation, other than JSON; undefined if it is not. */
function readWritten({ codec, contentType, media }: SentMedia, text: string): JsonValue | undefined {
  if (codec === jsonCodec || !isStructured({ codec })) return undefined;
  const parsed = codec?.parse?.(new TextEncoder().encode(text), media, contentType);
  return parsed?.kind === 'value' ? parsed.value : undefined;
}

const toBody = (content: SampleBody['content'], source: SampleSource): SampleBody => ({
  content,
  isDeclared: true,
  source,
});

/** Returns a file of the media type, if the schema requires bytes and neither it nor the media type has an example. */
function findFile({ sent, ignoresExamples = false }: SampleRequest): SampleBody | undefined {
  const { media, contentType } = sent;
  const schema = media.schema?.schema ?? true;
  const merged = mergeSchema(isJsonObject(schema) ? schema : {}, schema);
  // An encoded text is not bytes.
  const isBytes =
    typeOf(merged) === 'string' && !('contentEncoding' in merged) && merged['format'] !== 'byte';
  const isShown = !ignoresExamples && [...media.examples, ...shownValues(merged)].length > 0;
  const file = isStructured(sent) || !isBytes || isShown ? undefined : sampleFile(contentType);
  return file === undefined ? undefined : toBody(textBytes(file), 'generated');
}
