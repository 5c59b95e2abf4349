/** `cloche merge`: makes one report of the reports of all shards of a run. */
export const mergeCommand = {
  usage: 'merge <files..>',
  describe: 'Make one report of the shards of a run',
  about: [
    'Reads one JSON report of each shard of cloche test --shard, and reports what the',
    'whole run found. Sends nothing. It reads the tested document again.',
  ],
  options: {
    'The contract:': ['document', 'allow-references', 'overlay-in'],
    'What is written:': ['quiet', 'verbose', 'coverage', 'report', 'shell'],
    'The verdict:': ['strict', 'min-coverage', 'baseline', 'update-baseline'],
  },
  own: {
    files: { describe: 'JSON reports of the shards' },
    document: { defaultDescription: 'the one that the reports name' },
    strict: { describe: 'Warnings fail too; always if the shards ran with --strict' },
    quiet: { describe: 'Print only the verdict and the findings that fail the run' },
    report: { describe: 'Also write a report, as in cloche test, but not har; repeatable' },
    'min-coverage': { defaultDescription: 'that of the shards' },
    baseline: { defaultDescription: 'that of the shards' },
  },
  examples: [
    ['test http://127.0.0.1:8080 --shard 2/3 --report json=shard-2.json', 'one of three shards'],
    ['merge shard-*.json --report junit=junit.xml', 'the report of the whole run'],
  ],
  exitCodes: [
    'Exit codes, as those of the whole run:',
    '  0  no new violation        3  a shard could not judge the service',
    '  1  violations; warnings    4  Cloche itself failed',
    '     too with --strict;    130  a shard was interrupted',
    '     less exercised than --min-coverage demands',
    '  2  usage, document, or reports that do not belong together',
  ],
} as const;
