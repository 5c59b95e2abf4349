import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { json, object, response, text } from '../../../fixtures/document-parts.ts';
import { mockToken, otherToken, runOnMock } from '../../../fixtures/run-on-mock.ts';
import type { JsonObject } from '../../json/value.ts';
import { loadContract } from '../../contract/load.ts';
import { createMock } from '../../mock/create-mock.ts';
import { createPolicy } from '../../policy/policy.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import { behaviours } from '../../policy/behaviours/index.ts';
import { policyAnswers } from '../../../suites/policy-answers.ts';

const load = (name: string) =>
  loadContract(fileURLToPath(new URL(`../../../fixtures/documents/${name}`, import.meta.url)), {
    followReferences: false,
  });
const library = await load('library.yaml');
/** A document with users. */
const notes = await load('notes.yaml');
/** A document whose list has filters and cursors. */
const baskets = await load('baskets.yaml');
const title = { ...text, minLength: 8 };
const attributes = object({ name: title, singer: title }, ['name', 'singer']);
const song = object({ type: { const: 'songs' }, id: { ...text, readOnly: true }, attributes }, [
  'type',
  'attributes',
]);
const oneSong = object({ data: song }, ['data']);
/** A document of JSON:API whose list has a search, over items of two texts. */
const songs = contractOf({
  // `as`: they are JSON.
  paths: {
    '/songs': {
      get: {
        operationId: 'listSongs',
        parameters: [{ name: 'q', in: 'query', schema: text }],
        responses: { 200: response(object({ data: { type: 'array', items: song } }, ['data'])) },
      },
      post: { operationId: 'createSong', requestBody: json(oneSong), responses: { 201: response(oneSong) } },
    },
  } as unknown as JsonObject,
});

/** The document on which a behaviour shows, if it is not the library. */
const documents: Readonly<Partial<Record<BehaviourId, typeof library>>> = {
  'items-of-others': notes,
  'filter-match': baskets,
  'search-fields': songs,
  'unknown-cursor': baskets,
};

/** What is seen of another answer than drift from the question, and why. */
const otherwise: Readonly<Record<string, readonly string[]>> = {
  // The maximum is the document's own word.
  'limit-above-maximum: refuse, but clamp': ['invalid-parameter-accepted'],
  // Every order is one that nobody was to count on.
  'list-order: any, but creation': [],
  'list-order: any, but newest-first': [],
  'list-order: any, but key': [],
  // A mock makes ids one after the other, so that the two orders are one.
  'list-order: creation, but key': [],
  'list-order: key, but creation': [],
};

/** Fewer than the representative: items are made one by one. */
const shown = 4;

const cases = Object.values(behaviours)
  .filter(({ isOfResources }) => isOfResources === true)
  .flatMap(({ id, representatives }) => {
    // `as`: those about resources are words and numbers.
    const answers = (representatives as readonly (string | number)[]).map((answer) =>
      answer === 20 ? shown : answer,
    );
    return answers.flatMap((told) =>
      answers.map((behaves) => ({
        id,
        told,
        behaves,
        name: `${id}: ${told}, but ${behaves}`,
      })),
    );
  });

async function found(
  id: BehaviourId,
  { told, behaves }: { readonly told: string | number; readonly behaves: string | number },
) {
  const [of, as] = [told, behaves].map((answer) => ({ [id]: answer }));
  const mock = await createMock(documents[id] ?? library, {
    policy: { 'accepted-tokens': 'listed', ...as },
    tokens: [mockToken, otherToken],
  });
  const policy = createPolicy({ 'accepted-tokens': 'listed', ...of });
  const { findings } = await runOnMock({
    mock,
    policy,
    enforced: new Set([id]),
    hasOtherUser: true,
    suites: [policyAnswers],
    runs: 4,
  });
  return [
    ...new Set(
      findings.flatMap(({ finding: { check, clause, level } }) =>
        level === 'violation' ? [clause.kind === 'policy' ? `${check} ${clause.question}` : check] : [],
      ),
    ),
  ];
}

test.each(cases.filter(({ told, behaves }) => told !== behaves))(
  'a service that was told $name is found out',
  async ({ id, name, ...answers }) => {
    const drift = `drift ${id}`;
    const all = await found(id, answers);
    expect(all.includes(drift) ? [drift] : all).toEqual(otherwise[name] ?? [drift]);
  },
);

test.each(cases.filter(({ told, behaves }) => told === behaves))(
  'a service that keeps to what it was told ($id: $told) is not accused',
  async ({ id, ...answers }) => {
    expect(await found(id, answers)).toEqual([]);
  },
);
