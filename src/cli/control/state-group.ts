import type { ControlGroup } from './control-group.ts';

/** What `cloche state` does. */
export const stateGroup: ControlGroup = {
  name: 'state',
  describe: 'Show and change what a running mock remembers',
  about: 'What a running mock remembers: its collections, named by their paths, and their resources.',
  actions: [
    {
      usage: 'list [collection]',
      describe: 'The collections, or the resources of one, a line each',
      load: async () => (await import('./state/list-state.ts')).listState,
    },
    {
      usage: 'get <collection> <key>',
      describe: 'One resource',
      load: async () => (await import('./state/get-resource.ts')).getResource,
    },
    {
      usage: 'put <collection> <resource>',
      describe: 'Keep a resource, in place of one that has its key',
      load: async () => (await import('./state/put-resource.ts')).putResource,
    },
    {
      usage: 'delete <collection> <key>',
      describe: 'Forget one resource',
      load: async () => (await import('./state/delete-resource.ts')).deleteResource,
    },
    {
      usage: 'export',
      describe: 'Everything, so that import and mock --data take it',
      load: async () => (await import('./state/export-state.ts')).exportState,
    },
    {
      usage: 'import <file>',
      describe: 'Bring resources in: all of them, or where one cannot be taken, none',
      load: async () => (await import('./state/import-state.ts')).importState,
    },
  ],
  examples: [
    ['state', 'which collections there are, and how much each holds'],
    ['state list /orders --search urgent', 'the resources that hold a text'],
    ['state put /orders \'{"id":1}\'', 'one resource; from a file with its name, from standard input with -'],
    ['state export -o orders.json', 'everything, into a file'],
  ],
};
