/** `cloche worker`: runs the tests that `cloche test --queue` shares out. */
export const workerCommand = {
  usage: 'worker <queue>',
  describe: 'Run tests that cloche test --queue shares out',
  about: [
    'Takes parts of runs from a queue in a Redis and runs them, until it is stopped;',
    'the process that shares them out reports. Start it in a folder with the same',
    'documents and configuration, and with the secrets in its environment. A worker',
    'that dies loses nothing: another one takes its part. Needs npm install bullmq ioredis.',
  ],
  options: { Options: ['concurrency', 'idle'] },
  own: {
    queue: { kind: 'argument', describe: 'The Redis of the queue, as in redis://localhost:6379' },
  },
  examples: [
    ['worker redis://localhost:6379', 'until Ctrl+C, which waits for what is under way'],
    ['worker redis://redis.internal:6379 --concurrency 4', 'four parts at the same time'],
    ['test --queue redis://localhost:6379', 'the services of the configuration, on all workers'],
  ],
  exitCodes: [
    'Exit codes:',
    '  0  it was stopped, or had nothing to do for --idle',
    '  2  usage, or a queue that cannot be used',
    '  4  Cloche itself failed',
  ],
} as const;
