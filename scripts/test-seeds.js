// Judges every service of fixtures/services/ under several seeds: `npm run test:seeds -- 7 4242 99`.
import { runUnderSeeds } from './seeds/run-under-seeds.js';

runUnderSeeds({
  files: [
    'suites/kill-matrix.matrix.test.ts',
    'suites/false-alarms.matrix.test.ts',
    'suites/collections-kill.matrix.test.ts',
    'suites/collections-false-alarms.matrix.test.ts',
  ],
  usual: ['7', '4242', '20261121'],
});
