import {
  freeTexts,
  isRefused,
  notAsked,
  unspecified,
  plainRefused,
  readTexts,
  unsettled,
  withMember,
  writeBody,
} from '../probing.ts';
import type { ProbeSession, Behaviour, Probed } from '../behaviour.ts';

/** The behaviour `unique-properties`: properties other than the id that must be unique. */
export const uniqueProperties: Behaviour<'unique-properties'> = {
  id: 'unique-properties',
  question: 'Must properties other than the id be unique?',
  default: [],
  representatives: [[], ['name']],
  schema: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    uniqueItems: true,
    description: 'The names of properties whose values must be unique among resources.',
    examples: [['name']],
  },
  describe: (names) => (names.length === 0 ? 'none' : `${names.join(', ')} must be unique`),
  documentValue: ({ kind }) =>
    kind.kind === 'create' ? unspecified : notAsked('the operation creates nothing'),
  probe: { mostRequests: 20, needsTaken: true, ask },
};

/** Sends creates that each repeat one text of an earlier create, and nothing else. */
async function ask(probeSession: ProbeSession): Probed<'unique-properties'> {
  const isCreate = probeSession.operation.kind.kind === 'create';
  const names = freeTexts(probeSession).filter((name) => name !== probeSession.key?.property);
  if (!isCreate || names.length === 0) return notAsked('it creates nothing with a text of its client');
  const first = probeSession.sample(0) ?? [];
  const created = await probeSession.send({ body: writeBody(first) });
  if (!created.isAccepted) return plainRefused(created);
  const unique: string[] = [];
  for (const [index, name] of names.entries()) {
    const again = withMember(probeSession.sample(index + 1) ?? [], name, [
      JSON.stringify(readTexts(first).get(name)),
    ]);
    const repeated = await probeSession.send({ body: writeBody(again) });
    if (!repeated.isAccepted && !isRefused(repeated)) {
      return unsettled(`a repeated "${name}" is answered ${repeated.status}`);
    }
    if (isRefused(repeated)) {
      unique.push(name);
    }
  }
  return { kind: 'answer', answer: unique };
}
