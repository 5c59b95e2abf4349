import type { ControlGroup } from './control-group.ts';

/** What `cloche snapshot` does. */
export const snapshotGroup: ControlGroup = {
  name: 'snapshot',
  describe: "Save and restore a running mock's state",
  about:
    'The state of a running mock, kept under names. What a changed document no longer takes is in "set-aside".',
  actions: [
    {
      usage: 'list',
      describe: 'The snapshots, and how many resources each holds',
      load: async () => (await import('./snapshot/list-snapshots.ts')).listSnapshots,
    },
    {
      usage: 'save <name>',
      describe: 'Keep the state as it is, in place of an earlier snapshot of the name',
      load: async () => (await import('./snapshot/save-snapshot.ts')).saveSnapshot,
    },
    {
      usage: 'restore <name>',
      describe: 'Bring the state back that was kept',
      load: async () => (await import('./snapshot/restore-snapshot.ts')).restoreSnapshot,
    },
    {
      usage: 'delete <name>',
      describe: 'Forget a snapshot',
      load: async () => (await import('./snapshot/delete-snapshot.ts')).deleteSnapshot,
    },
  ],
  examples: [
    ['snapshot save full', 'before a test'],
    ['snapshot restore full', 'after it'],
  ],
};
