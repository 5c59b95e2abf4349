// Every answer of every question, alone and in pairs, with more cases and under several seeds than `npm test` has time
// for: `npm run test:policies -- 7 99` takes these seeds.
import { runUnderSeeds } from './seeds/run-under-seeds.js';

runUnderSeeds({
  files: ['suites/policies.matrix.test.ts'],
  usual: ['1', '7', '20261121'],
});
