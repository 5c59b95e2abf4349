import { plainRequest } from '../../arbitrary/request.ts';
import { findInvalidHeader } from '../../check/checks/response.ts';
import { classifyStatus } from '../../check/reading/answer.ts';
import type { AnswerReading, Judged, RequestReading } from '../../check/reading/subject.ts';
import type {
  Contract,
  DeclaredHeader,
  DeclaredResponse,
  MediaTypeContract,
  Operation,
} from '../../contract/contract.ts';
import type { Parameter } from '../../contract/read-parameters.ts';
import { statusName } from '../../contract/responses.ts';
import { matchesMediaRange, parseMediaType } from '../../http/media-type.ts';
import type { HeaderList, HttpRequest } from '../../http/message.ts';
import { appendPointer } from '../../json/pointer.ts';
import type { CompiledSchema } from '../../schema/compile.ts';
import type { BodyCoverage, KeywordCoverage, OperationCoverage } from '../events.ts';
import { explainKeyword, explainOperation, explainUnseenResponse } from './explain.ts';
import { createSchemaCount, type KeywordTally, type SchemaCount, tallySchema } from './schema-coverage.ts';

/**
 * The value of the first field of a name; it makes no list on the way, as it is asked of each exchange.
 *
 * @param name - in lower case
 */
function firstValue(headers: HeaderList, name: string): string | undefined {
  for (const [field, value] of headers) {
    if (field.length === name.length && field.toLowerCase() === name) return value;
  }
  return undefined;
}

/** Counts, of an operation, what is sent in one part of its requests or comes in its answers. */
interface PartCount {
  read(judged: Judged): void;
  keywords(): readonly KeywordTally[];
}

/** What a media type, as it was written, stands for; and how many bodies of each kind were sent in it. */
interface Labelled {
  readonly mediaType: string;
  readonly media: MediaTypeContract | undefined;
  readonly sent: Map<string, number>;
}

/** More spellings than these are made up by a generator. */
const mostSpellings = 100;

function kindOf({ body }: RequestReading): string {
  return body.kind === 'valid' ? body.grade.kind : body.kind;
}

/** Starts counting the bodies that an operation is sent, and what they meet and break. */
function countBodies({ requestBody }: Pick<Operation, 'requestBody'>): PartCount & {
  bodies(): readonly BodyCoverage[];
} {
  const declared = requestBody?.media ?? [];
  const schemas = new Map<CompiledSchema, SchemaCount>();
  for (const { schema, isJson } of declared) {
    if (schema !== undefined && isJson) {
      schemas.set(schema, createSchemaCount(schema));
    }
  }
  const labels = new Map<string, Labelled>();
  let withBody = 0;
  let withoutBody = 0;

  function label(written: string): Labelled {
    const known = labels.get(written) ?? (labels.size < mostSpellings ? undefined : labels.get(''));
    if (known !== undefined) return known;
    const essence = parseMediaType(written)?.essence;
    const made: Labelled = {
      mediaType: essence ?? (written === '' ? 'none' : 'unreadable'),
      media:
        essence === undefined ? undefined : declared.find(({ range }) => matchesMediaRange(essence, range)),
      sent: new Map(),
    };
    labels.set(written, made);
    return made;
  }

  function readSchema(body: RequestReading['body'], media: MediaTypeContract | undefined): void {
    if (body.kind === 'invalid') {
      schemas.get(body.schema)?.break(body.problems, body.value);
    }
    const schema = media?.schema;
    const count = schema === undefined ? undefined : schemas.get(schema);
    if (body.kind !== 'valid' || schema === undefined || count === undefined) return;
    if (body.grade.kind === 'contested' && body.grade.reason.endsWith('outside its format')) {
      const validate = schema.validator({ formats: 'assert', integers: 'by-value' });
      count.break(validate(body.value, body.exact), body.value);
    } else {
      count.meet(body.value);
    }
  }

  return {
    read({ exchange, request }: Judged) {
      if (requestBody === undefined) return;
      if (request.bodyBytes === 0) {
        withoutBody += 1;
        return;
      }
      withBody += 1;
      const { media, sent } = label(firstValue(exchange.request.headers, 'content-type') ?? '');
      const kind = kindOf(request);
      sent.set(kind, (sent.get(kind) ?? 0) + 1);
      readSchema(request.body, media);
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

/** Prepares to say whether a request has a parameter, without reading its value. */
function createPresenceTest({
  name,
  in: place,
}: Pick<Parameter, 'name' | 'in'>): (request: HttpRequest) => boolean {
  const encoded = encodeURIComponent(name);
  switch (place) {
    case 'path':
      return () => true;
    case 'query':
      return ({ target }) => target.includes(name) || target.includes(encoded);
    case 'header': {
      const field = name.toLowerCase();
      return ({ headers }) => firstValue(headers, field) !== undefined;
    }
    case 'cookie':
      return ({ headers }) => firstValue(headers, 'cookie')?.includes(name) ?? false;
  }
}

/** Starts counting what the parameters of an operation meet and break. */
function countParameters({ parameters }: Pick<Operation, 'parameters'>): PartCount {
  const parts = parameters.map((parameter) => ({
    parameter,
    isPresent: createPresenceTest(parameter),
    count: createSchemaCount(parameter.schema ?? { schema: true }),
    present: 0,
    missing: 0,
  }));
  return {
    read({ exchange, request }) {
      const isFine = request.invalidParameters.length === 0;
      for (const part of parts) {
        const { parameter, count } = part;
        const invalid = isFine
          ? undefined
          : request.invalidParameters.find(
              ({ name, in: place }) => name === parameter.name && place === parameter.in,
            );
        if (invalid?.schemaPointer !== undefined) {
          part.present += 1;
          count.breakAt(invalid.schemaPointer);
        } else if (invalid !== undefined) {
          part.missing += 1;
        } else if (part.isPresent(exchange.request)) {
          part.present += 1;
          count.meetWhole();
        }
      }
    },
    keywords: () =>
      parts.flatMap(({ parameter, count, present, missing }): readonly KeywordTally[] => {
        const { schema, required, pointer, in: place } = parameter;
        const presence: KeywordTally = {
          pointer: appendPointer(pointer, 'required'),
          keyword: 'required',
          of: 'parameter',
          met: present,
          broken: missing,
        };
        return [
          // A path without its parameter is another path, so that there is nothing to break.
          ...(required && place !== 'path' ? [presence] : []),
          ...(schema === undefined ? [] : tallySchema(schema, count, 'parameter')),
        ];
      }),
  };
}

interface HeaderCount {
  readonly header: DeclaredHeader;
  /** In lower case. */
  readonly name: string;
  readonly count: SchemaCount;
  present: number;
  missing: number;
}

function createHeaderCount(header: DeclaredHeader): HeaderCount {
  const count = createSchemaCount(header.schema ?? { schema: true });
  return { header, name: header.name.toLowerCase(), count, present: 0, missing: 0 };
}

function readHeader(counted: HeaderCount, headers: HeaderList, isSuspect: boolean): void {
  if (firstValue(headers, counted.name) === undefined) {
    counted.missing += 1;
    return;
  }
  counted.present += 1;
  const invalid = isSuspect ? findInvalidHeader(counted.header, headers) : undefined;
  if (invalid === undefined) {
    counted.count.meetWhole();
  } else {
    counted.count.breakAt(invalid.problem.schemaPointer);
  }
}

function tallyHeader({ header, count, present, missing }: HeaderCount): readonly KeywordTally[] {
  const { pointer, required, schema } = header;
  const presence: KeywordTally = {
    pointer: appendPointer(pointer, 'required'),
    keyword: 'required',
    of: 'response',
    met: present,
    broken: missing,
  };
  return [
    ...(required ? [presence] : []),
    ...(schema === undefined ? [] : tallySchema(schema, count, 'response')),
  ];
}

/** Starts counting the responses of an operation that came, and what their content and headers meet and break. */
function countResponses({ responses }: Pick<Operation, 'responses'>): PartCount & {
  /** How often a declared response came. */
  seen(response: DeclaredResponse): number;
  /** The statuses that came and are not declared, with how often they came. */
  undeclared(): ReadonlyMap<number, number>;
} {
  const seen = new Map<DeclaredResponse, number>();
  const undeclared = new Map<number, number>();
  const schemas = new Map<CompiledSchema, SchemaCount>();
  const headers = new Map<DeclaredResponse, readonly HeaderCount[]>();
  for (const response of responses) {
    headers.set(response, response.headers.map(createHeaderCount));
    for (const { schema, isJson } of response.media) {
      if (schema !== undefined && isJson && !schemas.has(schema)) {
        schemas.set(schema, createSchemaCount(schema));
      }
    }
  }

  function readContent(answer: AnswerReading, { request, findings }: Judged): void {
    if (answer.kind === 'none' || answer.content.kind !== 'json') return;
    const { json, media } = answer.content;
    const schema = media?.schema;
    const count = schema === undefined ? undefined : schemas.get(schema);
    // What an answer holds that should not have been given was not judged.
    const isUnjudged = request.body.kind !== 'valid' && request.body.kind !== 'not-expected';
    if (
      schema === undefined ||
      count === undefined ||
      (isUnjudged && classifyStatus(answer) === 'accepted')
    ) {
      return;
    }
    if (findings.some(({ check }) => check === 'response-schema')) {
      const validate = schema.validator({ formats: 'assert', integers: 'by-value' });
      count.break(validate(json.value, json.exact), json.value);
    } else {
      count.meet(json.value);
    }
  }

  return {
    read(judged) {
      const { answer } = judged;
      if (answer.kind === 'none') return;
      const { declared, response } = answer;
      if (declared === undefined) {
        undeclared.set(response.status, (undeclared.get(response.status) ?? 0) + 1);
        return;
      }
      seen.set(declared, (seen.get(declared) ?? 0) + 1);
      readContent(answer, judged);
      const counted = headers.get(declared) ?? [];
      if (counted.length > 0) {
        const isSuspect = judged.findings.some(({ check }) => check === 'response-header');
        counted.forEach((one) => readHeader(one, response.headers, isSuspect));
      }
    },
    keywords: () => [
      ...[...schemas].flatMap(([schema, count]) => tallySchema(schema, count, 'response')),
      ...[...headers.values()].flat().flatMap(tallyHeader),
    ],
    seen: (response) => seen.get(response) ?? 0,
    undeclared: () => undeclared,
  };
}

/** What is counted of one operation. */
interface OperationCount {
  /** Counts an exchange; what it costs does not grow with the size of a schema, some first ones aside. */
  read(judged: Judged): void;
  /** @param isNeverFound - whether it only ever answered 404 */
  conclude(contract: Contract, isNeverFound: boolean): OperationCoverage;
}

function isFaultless({ credentials, body, invalidParameters }: RequestReading): boolean {
  return (
    (credentials === 'good' || credentials === 'not-required') &&
    (body.kind === 'valid' || body.kind === 'not-expected') &&
    invalidParameters.length === 0
  );
}

/** One entry for each keyword of the document: definitions that several schemas share are one. */
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

/** Starts counting what a run exercises of an operation. */
function createOperationCount(operation: Operation): OperationCount {
  const bodies = countBodies(operation);
  const parameters = countParameters(operation);
  const responses = countResponses(operation);
  let requests = 0;
  let accepted = 0;

  return {
    read(judged) {
      requests += 1;
      bodies.read(judged);
      parameters.read(judged);
      responses.read(judged);
      if (isFaultless(judged.request) && classifyStatus(judged.answer) === 'accepted') {
        accepted += 1;
      }
    },
    conclude(contract, isNeverFound) {
      const { problem } = plainRequest(operation);
      const reason = explainOperation(operation, { requests, accepted, isNeverFound }, problem);
      const keywords = [...bodies.keywords(), ...parameters.keywords(), ...responses.keywords()];
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
        undeclared: [...responses.undeclared()]
          .map(([status, seen]) => ({ status, seen }))
          .toSorted((left, right) => left.status - right.status),
        keywords: merge(keywords, contract),
        ...(reason === undefined ? {} : { reason }),
      };
    },
  };
}

/** Keeps count of what of a contract a run exercises. */
interface CoverageRecorder {
  readonly read: (judged: Judged) => void;
  /**
   * What was counted so far, operation by operation, in the order of the document.
   *
   * @param neverFound - the ids of the operations that only ever answered 404
   */
  readonly conclude: (neverFound: readonly string[]) => readonly OperationCoverage[];
}

/** Starts counting for each operation of a contract. */
export function createCoverageRecorder(contract: Contract): CoverageRecorder {
  const counts = new Map<Operation, OperationCount>(
    contract.operations.map((operation) => [operation, createOperationCount(operation)]),
  );
  return {
    read(judged) {
      if (judged.operation !== undefined) {
        counts.get(judged.operation)?.read(judged);
      }
    },
    conclude: (neverFound) =>
      [...counts].map(([operation, count]) => count.conclude(contract, neverFound.includes(operation.id))),
  };
}
