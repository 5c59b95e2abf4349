import { findListMember } from '../../contract/list-parameters.ts';
import { keptRole } from '../../contract/resources.ts';
import type { Behaviour, Probed, ProbeSession } from '../behaviour.ts';
import { createListFinder, notAsked, unspecified, unsettled } from '../probing.ts';

/** The behaviour `search-fields`: the properties whose texts the search of a list finds. */
export const searchFields: Behaviour<'search-fields'> = {
  id: 'search-fields',
  question: 'In which properties does the search of a list look?',
  isOfResources: true,
  default: 'all',
  representatives: ['all', ['name']],
  schema: {
    oneOf: [
      { const: 'all', description: 'In all that the list shows.' },
      {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        minItems: 1,
        uniqueItems: true,
        description: 'In the properties with these names.',
        examples: [['name']],
      },
    ],
  },
  describe: (fields) => (fields === 'all' ? 'in all that it shows' : `in ${fields.join(', ')}`),
  documentValue: (operation) =>
    keptRole(operation)?.kind === 'list' && findListMember(operation, 'search') !== undefined
      ? unspecified
      : notAsked('the operation has no search'),
  probe: { mostRequests: 30, needsTaken: false, ask },
};

/** Searches a list for each text of a created item. */
async function ask(probeSession: ProbeSession): Probed<'search-fields'> {
  const search = findListMember(probeSession.operation, 'search');
  const finder = await createListFinder(probeSession);
  if (search === undefined || finder === undefined) return notAsked('it has no search');
  const found: string[] = [];
  for (const [name, text] of finder.texts) {
    if (await finder.finds(search.name, text)) found.push(name);
  }
  if (found.length === 0) return unsettled('the search finds no text of a created item');
  const { expected } = probeSession;
  const isExpected =
    Array.isArray(expected) &&
    expected.length === found.length &&
    expected.every((name) => found.some((each) => each === name));
  // `as`: the names are texts.
  if (isExpected) return { kind: 'answer', answer: expected as string[] };
  return found.length < finder.texts.length
    ? { kind: 'answer', answer: found }
    : { kind: 'answer', answer: 'all', alike: [found] };
}
