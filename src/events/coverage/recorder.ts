import { plainRequest } from '../../arbitrary/request.ts';
import { findInvalidHeader } from '../../contract/check-headers.ts';
import { isAccepted, isSuccessful } from '../../check/classify/answer.ts';
import { isTrusted } from '../../check/classify/request.ts';
import type { CheckedExchange, ClassifiedRequest } from '../../check/classify/subject.ts';
import type {
  Contract,
  DeclaredHeader,
  DeclaredResponse,
  MediaTypeContract,
  Operation,
} from '../../contract/contract.ts';
import type { Parameter } from '../../contract/read-parameters.ts';
import { statusName } from '../../contract/responses.ts';
import { findReadable, isStructured } from '../../http/codecs/registry.ts';
import { findMedia, parseMediaType } from '../../http/media-type.ts';
import type { HeaderList, HttpRequest } from '../../http/message.ts';
import { appendPointer, type JsonPointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import type { CompiledSchema } from '../../schema/compile.ts';
import type { BodyCoverage, KeywordCoverage, OperationCoverage } from '../events.ts';
import {
  explainKeyword,
  explainOperation,
  explainUnseenResponse,
  type UnsentCause,
  unsentInTime,
} from './explain.ts';
import { createSchemaCount, type KeywordTally, type SchemaCount, tallySchema } from './schema-coverage.ts';

/** Counts what a run exercises of a contract. */
interface CoverageRecorder {
  readonly read: (judged: CheckedExchange) => void;
  /**
   * Returns the counts so far by operation, in the order of the document. `found` is false for the operations that
   * only ever returned 404.
   */
  readonly conclude: (
    found: ReadonlyMap<string, boolean>,
    unsentOf?: (operation: Operation) => UnsentCause,
  ) => readonly OperationCoverage[];
}

/** Starts counting for each operation of a contract. */
export function createCoverageRecorder(contract: Contract): CoverageRecorder {
  const counts = new Map<Operation, ReturnType<typeof createOperationCount>>();
  function countOf(operation: Operation): ReturnType<typeof createOperationCount> {
    const count = counts.get(operation) ?? createOperationCount(operation);
    counts.set(operation, count);
    return count;
  }
  return {
    read(judged) {
      if (judged.operation !== undefined) countOf(judged.operation).read(judged);
    },
    conclude(found, unsentOf) {
      return contract.operations.map((operation) =>
        // An untried operation of a large document may have thousands of keywords, so it is described without them.
        unsentOf?.(operation) === 'time' && !counts.has(operation)
          ? describeUntried(operation, contract)
          : countOf(operation).conclude(contract, {
              isFound: found.get(operation.id),
              unsent: unsentOf?.(operation),
            }),
      );
    },
  };
}

/** Counts what is sent in one part of an operation's requests, or received in its responses. */
interface PartCount {
  read(judged: CheckedExchange): void;
  keywords(): readonly KeywordTally[];
}

/** Starts counting what a run exercises of an operation. The cost does not grow with the size of a schema. */
function createOperationCount(operation: Operation): {
  read(judged: CheckedExchange): void;
  conclude(
    contract: Contract,
    of: {
      readonly isFound: boolean | undefined;
      readonly unsent: UnsentCause;
    },
  ): OperationCoverage;
} {
  const bodies = countBodies(operation);
  const responses = countResponses(operation);
  const parts: readonly PartCount[] = [bodies, countParameters(operation), responses];
  let requests = 0;
  let valid = 0;
  let accepted = 0;
  /** The statuses of the responses to valid requests. */
  const statuses = new Set<number>();
  return {
    read(judged) {
      requests += 1;
      parts.forEach((part) => part.read(judged));
      const { answer, request } = judged;
      if (!isFaultless(request)) return;
      valid += 1;
      if (answer.kind === 'none') return;
      statuses.add(answer.response.status);
      accepted += isSuccessful(judged) ? 1 : 0;
    },
    conclude(contract, { isFound, unsent }) {
      const tallies = parts.flatMap((part) => part.keywords());
      const isUntested = statuses.size === 0 || operation.isUnclear;
      const { problem } = isUntested && !operation.isUnclear ? plainRequest(operation) : {};
      const reason = operation.isUnclear
        ? operation.unclearReason
        : explainOperation(
            {
              requests,
              valid,
              accepted,
              statuses,
              isNeverFound: isFound === false,
              isGuarded: operation.security.length > 0,
              unsent,
            },
            problem,
          );
      return {
        ...contract.placeOf(operation.pointer),
        operation: operation.id,
        requests,
        accepted,
        bodies: bodies.bodies(),
        responses: operation.responses.map((response) => {
          const seen = responses.seen(response);
          return {
            ...contract.placeOf(response.pointer),
            status: statusName(response.status),
            seen,
            ...(seen > 0 ? {} : { reason: explainUnseenResponse(response) }),
          };
        }),
        undeclared: responses.undeclared(),
        keywords: merge(tallies, contract),
        statuses: [...statuses].toSorted((left, right) => left - right),
        ...(isFound === undefined ? {} : { isFound }),
        ...(isUntested ? { isUntested } : {}),
        ...(reason === undefined ? {} : { reason }),
      };
    },
  };
}

/** Describes an operation that there was no time for. It generates nothing. */
function describeUntried(operation: Operation, { placeOf }: Contract): OperationCoverage {
  return {
    ...placeOf(operation.pointer),
    operation: operation.id,
    requests: 0,
    accepted: 0,
    bodies: [],
    responses: operation.responses.map((response) => ({
      ...placeOf(response.pointer),
      status: statusName(response.status),
      seen: 0,
      reason: explainUnseenResponse(response),
    })),
    undeclared: [],
    keywords: [],
    isUntested: true,
    reason: unsentInTime,
  };
}

function isFaultless(request: ClassifiedRequest): boolean {
  const { body, invalidParameters } = request;
  const isFine = body.kind === 'valid' || body.kind === 'not-expected';
  return isFine && isTrusted(request) && invalidParameters.length === 0;
}

/** Merges tallies into one for each keyword of the document: several schemas may share a definition. */
function merge(tallies: readonly KeywordTally[], { placeOf }: Contract): readonly KeywordCoverage[] {
  const byPlace = new Map<string, KeywordTally>();
  for (const tally of tallies) {
    const key = `${tally.of} ${tally.pointer}`;
    const known = byPlace.get(key);
    byPlace.set(key, {
      ...tally,
      met: tally.met + (known?.met ?? 0),
      broken: tally.broken + (known?.broken ?? 0),
    });
  }
  return [...byPlace.values()].map((tally) => {
    const { pointer, keyword, of, met, broken } = tally;
    const reason = explainKeyword(tally);
    return { ...placeOf(pointer), keyword, of, met, broken, ...(reason === undefined ? {} : { reason }) };
  });
}

/** Starts counting for the schema of each media type. */
function openSchemas(media: readonly MediaTypeContract[]): Map<CompiledSchema, SchemaCount> {
  const schemas = new Set(media.flatMap(({ schema }) => schema ?? []));
  return new Map([...schemas].map((schema) => [schema, createSchemaCount(schema)]));
}

/** Counts a value for a schema that it meets or breaks. Only a validator that asserts formats finds some errors. */
function countValue(
  schemas: ReadonlyMap<CompiledSchema, SchemaCount>,
  schema: CompiledSchema | undefined,
  of: { readonly value: JsonValue; readonly exact: boolean; readonly isBroken: boolean },
): void {
  const count = schema && schemas.get(schema);
  if (schema === undefined || count === undefined) return;
  if (of.isBroken) {
    const validate = schema.validator({ formats: 'assert', integers: 'by-value' });
    count.break(validate(of.value, of.exact), of.value);
  } else {
    count.meet(of.value);
  }
}

/** A media type as it was written, its declaration, and the number of bodies of each kind that were sent in it. */
interface Labelled {
  readonly mediaType: string;
  readonly media: MediaTypeContract | undefined;
  readonly sent: Map<string, number>;
}

/** The maximum number of counted spellings; more of them are generated. */
const mostSpellings = 100;

/** Starts counting the bodies that an operation receives, and what they meet and break. */
function countBodies({ requestBody }: Operation): PartCount & { bodies(): readonly BodyCoverage[] } {
  const declared = requestBody?.media ?? [];
  const readable = findReadable(declared);
  const schemas = openSchemas(declared.filter((media) => isStructured(media) || media === readable));
  const labels = new Map<string, Labelled>();
  let withBody = 0;
  let withoutBody = 0;

  function label(written: string): Labelled {
    const known = labels.get(written) ?? (labels.size < mostSpellings ? undefined : labels.get(''));
    if (known !== undefined) return known;
    const mediaType = parseMediaType(written);
    const made: Labelled = {
      mediaType: mediaType?.essence ?? (written === '' ? 'none' : 'unreadable'),
      media: mediaType && findMedia(declared, mediaType),
      sent: new Map(),
    };
    labels.set(written, made);
    return made;
  }

  return {
    read({ exchange, request: { body, bodyBytes } }) {
      if (requestBody === undefined) return;
      if (bodyBytes === 0) {
        withoutBody += 1;
        return;
      }
      withBody += 1;
      const { media, sent } = label(firstValue(exchange.request.headers, 'content-type') ?? '');
      const kind = body.kind === 'valid' ? body.grade.kind : body.kind;
      sent.set(kind, (sent.get(kind) ?? 0) + 1);
      if (body.kind === 'invalid') {
        schemas.get(body.schema)?.break(body.problems, body.value);
      }
      if (body.kind === 'valid') {
        const { grade, value, exact } = body;
        const isBroken = grade.kind === 'ambiguous' && grade.reason.endsWith('outside its format');
        countValue(schemas, media?.schema, { value, exact, isBroken });
      }
    },
    bodies() {
      const counts = new Map<string, BodyCoverage>();
      for (const { mediaType, sent } of labels.values()) {
        for (const [kind, count] of sent) {
          const key = `${mediaType} ${kind}`;
          counts.set(key, { mediaType, kind, sent: count + (counts.get(key)?.sent ?? 0) });
        }
      }
      return [...counts.values()];
    },
    keywords() {
      const tallies = [...schemas].flatMap(([schema, count]) => tallySchema(schema, count, 'body'));
      if (requestBody?.required !== true) return tallies;
      const pointer = appendPointer(requestBody.pointer, 'required');
      return [{ pointer, keyword: 'required', of: 'body', met: withBody, broken: withoutBody }, ...tallies];
    },
  };
}

/** The counts of a parameter or a header field: how often it was present, and what its values met and broke. */
interface FieldCount<Field> {
  readonly field: Field;
  readonly count: SchemaCount;
  present: number;
  missing: number;
}

function openField<Field extends Parameter | DeclaredHeader>(field: Field): FieldCount<Field> {
  return { field, count: createSchemaCount(field.schema ?? { schema: true }), present: 0, missing: 0 };
}

/** Counts a present field. Its value is valid unless a keyword is given. */
function countPresent(of: FieldCount<unknown>, brokenKeyword: JsonPointer | undefined): void {
  of.present += 1;
  if (brokenKeyword === undefined) {
    of.count.meetWhole();
  } else {
    of.count.breakAt(brokenKeyword);
  }
}

function tallyField(
  { field, count, present, missing }: FieldCount<Parameter | DeclaredHeader>,
  of: 'parameter' | 'response',
): readonly KeywordTally[] {
  const { pointer: at, required, schema } = field;
  const pointer = appendPointer(at, 'required');
  // A path without its parameter is another path. It does not break `required`.
  const isAsserted = required && !('in' in field && field.in === 'path');
  return [
    ...(isAsserted ? [{ pointer, keyword: 'required', of, met: present, broken: missing }] : []),
    ...(schema === undefined ? [] : tallySchema(schema, count, of)),
  ];
}

/** Creates a test whether a request has a parameter, without reading its value. */
function createPresenceTest(parameter: Parameter): (request: HttpRequest) => boolean {
  const { name, in: place } = parameter;
  const encoded = encodeURIComponent(name);
  const field = name.toLowerCase();
  if (place === 'path') return () => true;
  if (place === 'query') return ({ target }) => target.includes(name) || target.includes(encoded);
  if (place === 'header') return ({ headers }) => firstValue(headers, field) !== undefined;
  return ({ headers }) => firstValue(headers, 'cookie')?.includes(name) ?? false;
}

/** Starts counting what the parameters of an operation meet and break. */
function countParameters({ parameters }: Operation): PartCount {
  const counts = parameters.map((parameter) => ({
    ...openField(parameter),
    isPresent: createPresenceTest(parameter),
  }));
  return {
    read({ exchange, request: { invalidParameters } }) {
      for (const one of counts) {
        const invalid = invalidParameters.find(
          ({ name, in: place }) => name === one.field.name && place === one.field.in,
        );
        if (invalid !== undefined && invalid.schemaPointer === undefined) {
          one.missing += 1;
        } else if (invalid !== undefined || one.isPresent(exchange.request)) {
          countPresent(one, invalid?.schemaPointer);
        }
      }
    },
    keywords: () => counts.flatMap((one) => tallyField(one, 'parameter')),
  };
}

/** Starts counting the responses of an operation, and what their content and header fields meet and break. */
function countResponses({ responses }: Operation): PartCount & {
  /** Returns how often a declared response came. */
  seen(response: DeclaredResponse): number;
  /** Returns the undeclared statuses that came, in order. */
  undeclared(): OperationCoverage['undeclared'];
} {
  const seen = new Map<DeclaredResponse, number>();
  const undeclared = new Map<number, number>();
  const schemas = openSchemas(responses.flatMap(({ media }) => media.filter(isStructured)));
  const headers = new Map(responses.map((response) => [response, response.headers.map(openField)] as const));

  function readContent({ answer, request, findings }: CheckedExchange): void {
    if (answer.kind === 'none' || answer.content.kind !== 'json') return;
    // The content of a success that should have been an error was not checked.
    const isUnchecked = request.body.kind !== 'valid' && request.body.kind !== 'not-expected';
    if (isUnchecked && isAccepted(answer)) return;
    const { json, media } = answer.content;
    const isBroken = findings.some(({ check }) => check === 'response-schema');
    countValue(schemas, media?.schema, { value: json.value, exact: json.exact, isBroken });
  }

  return {
    read(judged) {
      const { answer, findings } = judged;
      if (answer.kind === 'none') return;
      const { declared, response } = answer;
      if (declared === undefined) {
        undeclared.set(response.status, (undeclared.get(response.status) ?? 0) + 1);
        return;
      }
      seen.set(declared, (seen.get(declared) ?? 0) + 1);
      readContent(judged);
      const counted = headers.get(declared) ?? [];
      const isSuspect = counted.length > 0 && findings.some(({ check }) => check === 'response-header');
      for (const one of counted) {
        if (firstValue(response.headers, one.field.name.toLowerCase()) === undefined) {
          one.missing += 1;
        } else {
          const invalid = isSuspect ? findInvalidHeader(one.field, response.headers) : undefined;
          countPresent(one, invalid?.problem.schemaPointer);
        }
      }
    },
    keywords: () => [
      ...[...schemas].flatMap(([schema, count]) => tallySchema(schema, count, 'response')),
      ...[...headers.values()].flat().flatMap((one) => tallyField(one, 'response')),
    ],
    seen: (response) => seen.get(response) ?? 0,
    undeclared: () =>
      [...undeclared]
        .map(([status, count]) => ({ status, seen: count }))
        .toSorted((left, right) => left.status - right.status),
  };
}

/** Returns the value of the first field with a lower-case name. It creates no list, because every exchange needs it. */
function firstValue(headers: HeaderList, name: string): string | undefined {
  for (const [field, value] of headers) {
    if (field.length === name.length && field.toLowerCase() === name) return value;
  }
  return undefined;
}
