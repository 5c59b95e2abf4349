import type { Operation } from '../../contract/contract.ts';
import { clientIdProperty } from '../../contract/request-facts.ts';
import { declaresExactly } from '../../contract/responses.ts';
import {
  notAsked,
  plainRefused,
  readStatus,
  refusalOf,
  sendUntilShown,
  showsTexts,
  unsettled,
  writeBody,
} from '../probing.ts';
import {
  type BehaviourValues,
  type ProbeSession,
  choices,
  type Behaviour,
  type Probed,
} from '../behaviour.ts';

/** The behaviour `duplicate-key`: the response to a create with an id that already exists. */
export const duplicateKey: Behaviour<'duplicate-key'> = {
  id: 'duplicate-key',
  question: 'What happens when the id exists already?',
  ...choices<'duplicate-key'>([
    ['refuse', '400 with an error body', '400 with an error body, where the document declares 400.'],
    ['conflict', '409 with an error body', '409.'],
    ['unprocessable', '422 with an error body', '422.'],
    ['replace', 'the new one replaces the old one', 'The new resource replaces the old one.'],
    ['keep-first', 'the stored one is returned, unchanged', 'The stored resource is returned, unchanged.'],
    ['accept', 'both are kept', 'Both are kept.'],
  ]),
  representatives: ['refuse', 'conflict', 'replace', 'accept'],
  statuses: [409, 422],
  // A declared 409 is for this (RFC 9110 §15.5.10).
  isDecidedByOpenApi: true,
  documentValue(operation) {
    const key = clientIdProperty(operation);
    if (key === undefined) return notAsked('no client chooses an id');
    const open = `The operation would have to declare 409, for when "${key}" is taken`;
    return readStatus(operation, { status: 409, answer: 'conflict', open });
  },
  declare({ answer, operation }) {
    const status = new Map([
      ['conflict', 409],
      ['unprocessable', 422],
    ]).get(answer);
    const description = `Its "${clientIdProperty(operation) ?? 'key'}" is taken.`;
    return { additions: status === undefined ? [] : [refusalOf(status, description)], answer };
  },
  probe: { mostRequests: 5, needsTaken: true, ask },
};

/** Returns the statuses of rejections, as the document declares them. */
function refusals(operation: Operation): readonly (readonly [BehaviourValues['duplicate-key'], number])[] {
  const first = (...statuses: readonly number[]): number | undefined =>
    statuses.find((status) => declaresExactly(operation, status));
  return [
    ['refuse', first(409, 422, 400) ?? 400],
    ['conflict', 409],
    ['unprocessable', first(409, 422) ?? 422],
  ];
}

/** Sends two creates with one id, which differ in everything else. */
async function ask(probeSession: ProbeSession): Probed<'duplicate-key'> {
  if (probeSession.key === undefined || probeSession.sample() === undefined)
    return notAsked('its client sends no id');
  const first = await sendUntilShown(probeSession, (each) => probeSession.sample(each) ?? []);
  const { exchange: created, members, slot } = first;
  if (!created.isAccepted) return plainRefused(created);
  const others = probeSession.sample(slot) ?? [];
  const repeated = await probeSession.send({ body: writeBody(others) });
  if (!repeated.isAccepted) {
    const [answer, ...alike] = refusals(probeSession.operation).flatMap(([each, status]) =>
      status === repeated.status ? [each] : [],
    );
    return answer === undefined
      ? unsettled(`a repeated id is answered ${repeated.status}, which is none of the answers`)
      : { kind: 'answer', answer, alike };
  }
  if (!showsTexts(created, members) && probeSession.settled('echo') === 'exact') {
    return unsettled('a plain create is answered with another resource');
  }
  if (!showsTexts(created, members)) {
    // The responses show that it is accepted, but not which resource is stored.
    return { kind: 'answer', answer: 'accept', alike: ['replace', 'keep-first'] };
  }
  if (showsTexts(repeated, members)) return { kind: 'answer', answer: 'keep-first' };
  return showsTexts(repeated, others)
    ? { kind: 'answer', answer: 'replace', alike: ['accept'] }
    : unsettled('a repeated id is accepted, and the response shows neither of the two resources');
}
