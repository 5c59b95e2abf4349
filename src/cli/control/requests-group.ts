import type { ControlGroup } from './control-group.ts';

/** What `cloche requests` does. */
export const requestsGroup: ControlGroup = {
  name: 'requests',
  describe: 'Show, await and verify what a mock was asked',
  about: 'What a running mock was asked, and why it answered as it did.',
  actions: [
    {
      usage: 'list',
      describe: 'The requests, a line each, the newest last',
      load: async () => (await import('./requests/list-requests.ts')).listRequests,
    },
    {
      usage: 'show <id>',
      describe: 'One request in full: what was wrong, what was sent, what came back',
      load: async () => (await import('./requests/show-request.ts')).showRequest,
    },
    {
      usage: 'verify',
      describe: 'Whether requests came as often as expected; exit code 1 where not',
      load: async () => (await import('./requests/verify-requests.ts')).verifyRequests,
    },
    {
      usage: 'clear',
      describe: 'Forget them',
      load: async () => (await import('./requests/clear-requests.ts')).clearRequests,
    },
  ],
  examples: [
    ['requests --verdict refused', 'what was refused, and why'],
    ['requests --operation createOrder --wait 5000', 'waits for one; exit code 1 where none comes'],
    ['requests verify --operation createOrder --times 2', 'for a script of tests'],
  ],
};
