import type { AnswerReading } from '../../check/answer-reading.ts';
import { findInvalidHeader } from '../../check/find-invalid-header.ts';
import type { Judged } from '../../check/judged.ts';
import { classifyStatus } from '../../check/status-class.ts';
import type { DeclaredHeader, DeclaredResponse } from '../../contract/declared-response.ts';
import type { Operation } from '../../contract/operation.ts';
import type { HeaderList } from '../../http/header-list.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { CompiledSchema } from '../../schema/compile-schema.ts';
import { createSchemaCount, type SchemaCount } from './create-schema-count.ts';
import { firstValue } from './first-value.ts';
import type { PartCount } from './part-count.ts';
import { type KeywordTally, tallySchema } from './tally-schema.ts';

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
export function countResponses({ responses }: Pick<Operation, 'responses'>): PartCount & {
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
    if (answer.kind === 'none' || answer.content.kind !== 'json') {
      return;
    }
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
      if (answer.kind === 'none') {
        return;
      }
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
