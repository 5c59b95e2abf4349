import { describe, expect, test } from 'vitest';
import { contractOfCollection } from '../fixtures/judge-collection.ts';
import { harmlessOptions, judgeWithOption } from '../fixtures/run-options.ts';
import { loadCollections } from '../fixtures/services/collections/catalogue.js';
import { lifeCycles } from './life-cycles.ts';

const { correct } = await loadCollections();
const sample = [
  'known values of names',
  'exclude a path, isolated',
  'exclude items',
  'at most 3 creates',
  'hooks',
];

describe.concurrent('side by side', () => {
  // The matrix has all options, on every honest service.
  test.each(harmlessOptions.filter(({ id }) => sample.includes(id)))(
    'nothing is reported about a service that keeps projects and tasks, $id',
    async (option) => {
      const service = correct.find(({ id }) => id === 'workshop');
      if (service === undefined) throw new Error('There is no such service.');
      const contract = contractOfCollection(service);
      const found = await judgeWithOption(option, {
        service,
        contract,
        seed: 1,
        suites: [lifeCycles],
        runs: 1,
      });
      expect(found).toEqual([]);
    },
  );
});
