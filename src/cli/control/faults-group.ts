import type { ControlGroup } from './control-group.ts';

/** What `cloche faults` does. */
export const faultsGroup: ControlGroup = {
  name: 'faults',
  describe: "Make a running mock's answers slow or wrong",
  about:
    'The rules by which answers of a running mock go wrong. Of several that are for a request, the first one counts.',
  actions: [
    {
      usage: 'list',
      describe: 'The rules, and what came of each',
      load: async () => (await import('./faults/list-faults.ts')).listFaults,
    },
    {
      usage: 'add <fault..>',
      describe:
        'Add a rule: delay=MS or delay=FROM..TO, status=CODE, example=NAME, retry-after=SECONDS, drop, truncate',
      load: async () => (await import('./faults/add-fault.ts')).addFault,
    },
    {
      usage: 'delete <id>',
      describe: 'Take a rule away',
      load: async () => (await import('./faults/delete-fault.ts')).deleteFault,
    },
    {
      usage: 'clear',
      describe: 'Take all rules away',
      load: async () => (await import('./faults/clear-faults.ts')).clearFaults,
    },
  ],
  examples: [
    ['faults add delay=200..400', 'every answer comes later'],
    ['faults add status=503 --operation createOrder --times 3', 'the next three creates fail'],
    ['faults add drop --share 0.1', 'one connection in ten ends without an answer'],
    ['faults clear', 'all is well again'],
  ],
};
