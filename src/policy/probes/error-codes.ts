import type { Condition } from '../condition.ts';
import type { ErrorCodesAnswer } from '../error-codes.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { Asker, Probe, ProbeReading, ProbeRequest } from '../probe.ts';
import { asksCredentials } from './asks-credentials.ts';
import { isRefused } from './is-refused.ts';
import { notAsked } from './not-asked.ts';
import { readCode } from './read-code.ts';
import { readTexts } from './read-texts.ts';
import { unknownMethod, unknownPath } from './unknown-requests.ts';
import { withMember } from './with-member.ts';
import { writeBody } from './write-body.ts';

/** The requests that bring a condition about, of which the last one shows it. */
type Provocation = readonly [Condition, ...(readonly ProbeRequest[])];

function ofCredentials({ operation }: Asker): readonly Provocation[] {
  return asksCredentials(operation)
    ? [
        ['missing-credentials', { credentials: 'missing' }],
        ['invalid-credentials', { credentials: 'unknown-token' }],
      ]
    : [];
}

function ofBody(asker: Asker): readonly Provocation[] {
  const { requestBody } = asker.operation;
  if (requestBody === undefined || asker.sample() === undefined) {
    return [];
  }
  const invalid = ['{}', '[]', 'null'].find((text) => !asker.isValid([text]));
  const missing: Provocation = ['missing-body', { body: undefined }];
  return [
    ['malformed-body', { body: ['{'] }],
    ...(requestBody.required ? [missing] : []),
    ...(invalid === undefined ? [] : [['invalid-body', { body: [invalid] }] as const]),
    ...(asker.settled('unsupported-media-type') === 'read'
      ? []
      : [['unsupported-media-type', { contentType: 'application/x-cloche' }] as const]),
    ...ofLimit(asker),
  ];
}

function ofLimit(asker: Asker): readonly Provocation[] {
  const limit = asker.settled('body-limit');
  const bytes = isJsonObject(limit) ? limit['bytes'] : undefined;
  const members = asker.sample();
  return typeof bytes === 'number' && members !== undefined
    ? [['body-too-large', { body: [...writeBody(members), ' '.repeat(bytes)] }]]
    : [];
}

/** Creates that cannot both be; each slot is a key of its own. */
function ofResources(asker: Asker): readonly Provocation[] {
  const one = asker.sample(1) ?? [];
  const other = asker.sample(1) ?? [];
  const third = asker.sample(2) ?? [];
  const unique = asker.settled('unique-properties');
  const [name] = Array.isArray(unique) ? unique : [];
  const text = typeof name === 'string' ? readTexts(one).get(name) : undefined;
  const ofKey: Provocation = ['duplicate-key', { body: writeBody(one) }, { body: writeBody(other) }];
  return asker.key === undefined
    ? []
    : [
        ofKey,
        ...(typeof name === 'string' && text !== undefined
          ? [
              [
                'duplicate-value',
                { body: writeBody(withMember(third, name, [JSON.stringify(text)])) },
              ] as const,
            ]
          : []),
      ];
}

function ofOthers(asker: Asker): readonly Provocation[] {
  const method = unknownMethod(asker);
  return [
    ...(asker.settled('accept') === 406
      ? [['not-acceptable', { accept: 'application/x-cloche' }] as const]
      : []),
    ...(method === undefined ? [] : [['unknown-method', method] as const]),
    ['unknown-path', unknownPath],
  ];
}

async function ask(asker: Asker): Promise<ProbeReading<ErrorCodesAnswer>> {
  const codes: Partial<Record<Condition, number>> = {};
  let seen = 0;
  const provocations = [ofCredentials, ofBody, ofResources, ofOthers].flatMap((list) => list(asker));
  for (const [condition, ...requests] of provocations) {
    for (const [index, request] of requests.entries()) {
      const exchange = await asker.send(request);
      const code =
        isRefused(exchange) && index === requests.length - 1 ? readCode(exchange.received) : undefined;
      seen += code === undefined ? 0 : 1;
      if (code !== undefined && code !== exchange.status) {
        codes[condition] = code;
      }
    }
  }
  if (seen === 0) {
    return notAsked('its error bodies hold no number');
  }
  return { kind: 'answer', answer: Object.keys(codes).length === 0 ? 'status' : codes };
}

/** Asks with requests that are wrong in one way each, and reads the number in the error body. */
export const errorCodesProbe: Probe<ErrorCodesAnswer> = { mostRequests: 14, needsTaken: true, ask };
