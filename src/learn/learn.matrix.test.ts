import { describe, expect, test } from 'vitest';
import { drawCases } from '../../fixtures/draw-cases.ts';
import { describeFindings } from '../../fixtures/describe-findings.ts';
import { judgeService } from '../../fixtures/judge-service.ts';
import { learnService } from '../../fixtures/learn-service.ts';
import { loadCatalogue } from '../../fixtures/services/catalogue.js';
import type { Service } from '../../fixtures/services/service.ts';
import { behaviourIds } from '../policy/behaviours/index.ts';
import type { Policy } from '../policy/policy.ts';
import type { BehaviourId } from '../policy/behaviour.ts';

const { conforming, constrained } = await loadCatalogue();

function find(id: string): Service {
  const service = [...conforming, ...constrained].find((one) => one.id === id);
  expect.assert(service !== undefined);
  return service;
}

interface LearntService {
  readonly id: string;
  /** What is learnt of it that is not usual. */
  readonly answers: Partial<Policy>;
  /** What stays open. */
  readonly open?: readonly BehaviourId[];
}

const learnt: readonly LearntService[] = [
  { id: 'body-before-credentials', answers: { 'auth-order': 'after' } },
  { id: 'created-at-answered', answers: {}, open: ['response-extras'] },
  {
    id: 'credentials-401-html',
    answers: {
      'missing-credentials': { status: 401, body: 'other' },
      'invalid-credentials': { status: 401, body: 'other' },
    },
  },
  {
    id: 'credentials-401-own-json',
    answers: {
      'missing-credentials': { status: 401, body: 'other' },
      'invalid-credentials': { status: 401, body: 'other' },
    },
  },
  { id: 'credentials-locked-out', answers: {}, open: ['invalid-credentials'] },
  { id: 'error-codes-own', answers: {} },
  {
    id: 'id-int32',
    answers: { constraints: { id: { minimum: -2_147_483_648, maximum: 2_147_483_647 } } },
    open: ['int64-range'],
  },
  { id: 'name-unique', answers: { 'unique-properties': ['name'] } },
  { id: 'plants-of-last-week', answers: {} },
  { id: 'stored-last-week', answers: { 'duplicate-key': 'keep-first' } },
  {
    id: 'three-limits',
    answers: {
      constraints: {
        name: { maxLength: 255 },
        tag: { minLength: 1 },
        id: { minimum: 1, maximum: 2_147_483_647 },
      },
    },
    open: ['int64-range'],
  },
];

/** It takes its time, and is asked of services that have one. */
const asked = behaviourIds.filter((id) => id !== 'rate-limit');

describe.concurrent('what is learnt of an honest service', () => {
  test.each(drawCases(learnt, 2))('is what $id does, and holds when it is configured', async (service) => {
    const { id, answers, open = [] } = service;
    const { learnt: found } = await learnService({ service: find(id), questions: asked });
    expect(found.answers).toMatchObject(answers);
    const isOpen = ({ outcome: { kind } }: (typeof found.questions)[number]): boolean => kind !== 'settled';
    expect(found.questions.filter(isOpen).map(({ question }) => question)).toEqual(open);
    const result = await judgeService({ service: find(id), runs: 6, given: found.answers });
    expect(describeFindings(result, ['violation'])).toEqual([]);
  });

  test('is learnt again alike of a store that keeps what was sent', async () => {
    const { learnt: first, again } = await learnService({
      service: find('id-odd-limits'),
      questions: asked,
      isRepeated: true,
    });
    expect(again?.answers).toEqual(first.answers);
  });
});
