/** A request that shows an operation of the control interface at work. */
export interface ControlExample {
  readonly operationId: string;
  /** Instead of the path of the document: with its parameters filled in, and a query. */
  readonly path?: string;
  /** A JSON text. */
  readonly body?: string;
  /** The command that does the same, without the name of the program. */
  readonly command?: string;
}

/** An example at least of each operation, in an order in which each of them works, on a mock of orders. */
export const controlExamples: readonly ControlExample[] = [
  { operationId: 'getDocument' },
  { operationId: 'getService' },
  { operationId: 'getState', command: 'state' },
  {
    operationId: 'putResource',
    path: '/state/resources?collection=/orders',
    body: '{"id":7,"name":"Tea"}',
    command: `state put /orders '{"id":7,"name":"Tea"}'`,
  },
  {
    operationId: 'listResources',
    path: '/state/resources?collection=/orders&search=tea&limit=10',
    command: 'state list /orders --search tea --limit 10',
  },
  {
    operationId: 'getResource',
    path: '/state/resource?collection=/orders&key=7',
    command: 'state get /orders 7',
  },
  { operationId: 'exportState', command: 'state export' },
  {
    operationId: 'importState',
    path: '/state/import?mode=merge',
    body: '{"/orders":[{"id":8,"name":"Milk"},{"id":9,"name":"Sugar"}]}',
    command: 'state import orders.json --merge',
  },
  {
    operationId: 'deleteResource',
    path: '/state/resource?collection=/orders&key=9',
    command: 'state delete /orders 9',
  },
  { operationId: 'putSnapshot', path: '/snapshots/two-orders', command: 'snapshot save two-orders' },
  { operationId: 'listSnapshots', command: 'snapshot list' },
  {
    operationId: 'restoreSnapshot',
    path: '/snapshots/two-orders/restore',
    command: 'snapshot restore two-orders',
  },
  { operationId: 'deleteSnapshot', path: '/snapshots/two-orders', command: 'snapshot delete two-orders' },
  { operationId: 'reset', command: 'reset' },
  { operationId: 'reset', body: '{"parts":["state","requests"]}', command: 'reset --only state,requests' },
  { operationId: 'getPolicy', command: 'policy show' },
  {
    operationId: 'patchPolicy',
    body: '{"answers":{"duplicate-key":"conflict"}}',
    command: 'policy set duplicate-key=conflict',
  },
  {
    operationId: 'patchPolicy',
    body: '{"operations":{"createOrder":{"echo":"none"}},"answers":{"duplicate-key":null}}',
  },
  { operationId: 'deletePolicy', command: 'policy reset' },
  {
    operationId: 'createFault',
    body: '{"operation":"createOrder","times":3,"answer":{"status":503,"retryAfter":2}}',
    command: 'faults add status=503 retry-after=2 --operation createOrder --times 3',
  },
  { operationId: 'putFault', path: '/faults/slow', body: '{"delay":[200,900],"share":0.5}' },
  {
    operationId: 'putFault',
    path: '/faults/cut',
    body: '{"method":"POST","path":"/orders","connection":"drop","enabled":false}',
  },
  { operationId: 'listFaults', command: 'faults list' },
  { operationId: 'deleteFault', path: '/faults/slow', command: 'faults delete slow' },
  { operationId: 'clearFaults', command: 'faults clear' },
  {
    operationId: 'listRequests',
    path: '/requests?verdict=refused&limit=20',
    command: 'requests list --verdict refused --limit 20',
  },
  {
    operationId: 'listRequests',
    path: '/requests?operation=createOrder&after=0&times=1&wait=2000',
    command: 'requests list --operation createOrder --after 0 --times 1 --wait 2000',
  },
  { operationId: 'getRequest', path: '/requests/1', command: 'requests show 1' },
  {
    operationId: 'verifyRequests',
    body: '{"filter":{"operation":"createOrder","body":{"name":"Tea"}},"times":1}',
    command: `requests verify --operation createOrder --body '{"name":"Tea"}' --times 1`,
  },
  { operationId: 'clearRequests', command: 'requests clear' },
  { operationId: 'getClock', command: 'clock show' },
  {
    operationId: 'putClock',
    body: '{"now":"2026-03-01T08:00:00Z","frozen":true}',
  },
  { operationId: 'advanceClock', body: '{"ms":3600000}', command: 'clock advance 1h' },
];
