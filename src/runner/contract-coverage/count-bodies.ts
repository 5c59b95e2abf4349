import type { Judged } from '../../check/judged.ts';
import type { RequestReading } from '../../check/request-reading.ts';
import type { MediaTypeContract } from '../../contract/media-type-contract.ts';
import type { Operation } from '../../contract/operation.ts';
import { matchesMediaRange } from '../../http/matches-media-range.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { CompiledSchema } from '../../schema/compile-schema.ts';
import type { BodyCoverage } from '../operation-coverage.ts';
import { createSchemaCount, type SchemaCount } from './create-schema-count.ts';
import { firstValue } from './first-value.ts';
import type { PartCount } from './part-count.ts';
import { tallySchema } from './tally-schema.ts';

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
export function countBodies({ requestBody }: Pick<Operation, 'requestBody'>): PartCount & {
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
    if (known !== undefined) {
      return known;
    }
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
    if (body.kind !== 'valid' || schema === undefined || count === undefined) {
      return;
    }
    if (body.grade.kind === 'contested' && body.grade.reason.endsWith('outside its format')) {
      const validate = schema.validator({ formats: 'assert', integers: 'by-value' });
      count.break(validate(body.value, body.exact), body.value);
    } else {
      count.meet(body.value);
    }
  }

  return {
    read({ exchange, request }: Judged) {
      if (requestBody === undefined) {
        return;
      }
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
      if (requestBody?.required !== true) {
        return tallies;
      }
      const pointer = appendPointer(requestBody.pointer, 'required');
      return [{ pointer, keyword: 'required', of: 'body', met: withBody, broken: withoutBody }, ...tallies];
    },
  };
}
