import { listTextFilters } from '../../contract/list-parameters.ts';
import { plain } from '../../contract/resource-key.ts';
import { choices, type Behaviour, type Probed, type ProbeSession } from '../behaviour.ts';
import { createListFinder, notAsked, unspecified, unsettled } from '../probing.ts';

/** The behaviour `filter-match`: the texts that a query parameter with the name of a text property matches. */
export const filterMatch: Behaviour<'filter-match'> = {
  id: 'filter-match',
  question: 'Which texts does the filter of a list match?',
  isOfResources: true,
  ...choices<'filter-match'>([
    ['exact', 'equal texts', 'Equal texts only.'],
    ['prefix', 'texts that begin with it', 'Texts that begin with it, ignoring case.'],
    ['part', 'texts that contain it', 'Texts that contain it, ignoring case.'],
  ]),
  documentValue: (operation) =>
    listTextFilters(operation).length === 0
      ? notAsked('the operation has no filter for a text of its items')
      : unspecified,
  probe: { mostRequests: 20, needsTaken: false, ask },
};

/** Filters a list by the whole text of a created item, and by parts of it. */
async function ask(probeSession: ProbeSession): Probed<'filter-match'> {
  const finder = await createListFinder(probeSession);
  const texts = new Map(finder?.texts.map(([name, text]) => [plain(name), text]));
  const filter = listTextFilters(probeSession.operation).find(({ name }) => texts.has(plain(name)));
  const text = texts.get(plain(filter?.name ?? ''));
  if (filter === undefined || finder === undefined || text === undefined) {
    return unsettled('no text of its items is in the body that creates them');
  }
  const finds = (wanted: string): Promise<boolean> => finder.finds(filter.name, wanted);
  if (!(await finds(text))) return unsettled('the filter does not find the whole text of an item');
  const characters = [...text];
  if (await finds(characters.slice(1, -1).join(''))) return { kind: 'answer', answer: 'part' };
  const isPrefix = await finds(characters.slice(0, -1).join(''));
  return { kind: 'answer', answer: isPrefix ? 'prefix' : 'exact' };
}
