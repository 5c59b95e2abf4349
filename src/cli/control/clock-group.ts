import type { ControlGroup } from './control-group.ts';

/** What `cloche clock` does. */
export const clockGroup: ControlGroup = {
  name: 'clock',
  describe: 'Show and set the clock of a running mock',
  about: 'The time that a running mock goes by: its rate limits, its log and the Date of its answers.',
  actions: [
    {
      usage: 'show',
      describe: 'What time it is there',
      load: async () => (await import('./clock/show-clock.ts')).showClock,
    },
    {
      usage: 'set <time>',
      describe: 'Go on from another time, 2026-03-01T08:00:00Z',
      load: async () => (await import('./clock/set-clock.ts')).setClock,
    },
    {
      usage: 'advance <duration>',
      describe: 'Go on from later: 500ms, 90s, 5m, 2h, 1d',
      load: async () => (await import('./clock/advance-clock.ts')).advanceClock,
    },
    {
      usage: 'freeze',
      describe: 'Stand still',
      load: async () => (await import('./clock/freeze-clock.ts')).freezeClock,
    },
    {
      usage: 'resume',
      describe: 'Go on from where it stands',
      load: async () => (await import('./clock/resume-clock.ts')).resumeClock,
    },
  ],
  examples: [
    ['clock freeze', 'so that a test always meets the same time'],
    ['clock advance 1h', 'so that whatever lasts an hour is over'],
  ],
};
