import type { ControlGroup } from './control-group.ts';

/** What `cloche policy` does. */
export const policyGroup: ControlGroup = {
  name: 'policy',
  describe: "Show and change a running mock's policy",
  about: 'How a running mock answers where its document is silent.',
  actions: [
    {
      usage: 'show',
      describe: 'The answer to each question',
      load: async () => (await import('./policy/show-policy.ts')).showPolicy,
    },
    {
      usage: 'set <answer..>',
      describe: 'Answer otherwise: QUESTION=ANSWER or OPERATION:QUESTION=ANSWER',
      load: async () => (await import('./policy/set-policy.ts')).setPolicy,
    },
    {
      usage: 'reset',
      describe: 'Answer as at the start',
      load: async () => (await import('./policy/reset-policy.ts')).resetPolicy,
    },
  ],
  examples: [
    ['policy set duplicate-key=conflict', '409 for a key that is taken'],
    ['policy set createOrder:echo=none', 'for one operation'],
  ],
};
