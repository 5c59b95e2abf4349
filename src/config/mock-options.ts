/** The options that decide how a mock answers. */
export const mockOptions = {
  mount: {
    key: 'mounts',
    isPath: true,
    pairs: { between: '=' },
    kind: 'texts',
    defaultDescription: 'none',
    describe: 'Serve a document under a prefix, as PREFIX=DOCUMENT; repeatable',
  },
  data: {
    isPath: true,
    kind: 'text',
    defaultDescription: 'the items in the examples of the document',
    describe: 'Initial resources: a JSON, YAML or NDJSON file, { "/orders": [ … ] } or just rows; none',
  },
  'data-count': {
    kind: 'whole',
    // Generating more would take too long.
    to: 100_000,
    defaultDescription: '0',
    describe: 'Generate this many resources for each collection, or parent, that --data does not fill',
  },
  delay: {
    kind: 'text',
    defaultDescription: 'none',
    describe: 'Delay every response, by MS or FROM..TO milliseconds',
  },
  faults: {
    isPath: true,
    kind: 'text',
    defaultDescription: 'none',
    describe: 'A file of fault rules, JSON or YAML',
  },
  handlers: {
    isPath: true,
    kind: 'text',
    defaultDescription: 'none',
    describe: 'Responses of your own: a file of JavaScript or TypeScript, or of rules in YAML',
  },
  validate: {
    kind: 'word',
    choices: ['on', 'warn', 'off'],
    default: 'on',
    describe: 'Refuse invalid requests, accept them with a warning in the log, or do not check them',
  },
  fallback: {
    kind: 'text',
    defaultDescription: 'none',
    describe: 'Forward requests for other and excluded operations to the service at this URL',
  },
  replay: {
    isPath: true,
    kind: 'text',
    defaultDescription: 'none',
    describe: 'Answer with the exchanges of a HAR file, until a client changes their items',
  },
  callbacks: {
    kind: 'word',
    choices: ['off', 'loopback', 'any'],
    default: 'off',
    describe: 'Send the callbacks of the document: to this machine (loopback) or to any host',
  },
  https: {
    kind: 'switch',
    default: false,
    defaultDescription: 'off',
    describe: 'Serve HTTPS and HTTP/2, with a certificate for localhost that is made at the first use',
  },
  'tls-cert': { isPath: true, kind: 'text', describe: 'The certificate for HTTPS, a PEM file' },
  'tls-key': { isPath: true, kind: 'text', describe: 'The private key of --tls-cert, a PEM file' },
  cors: {
    kind: 'switch',
    default: true,
    defaultDescription: 'on',
    describe: 'Allow web pages of other origins (CORS); --no-cors allows none',
  },
  'cors-origin': {
    key: 'corsOrigins',
    kind: 'texts',
    defaultDescription: 'any',
    describe: 'An allowed origin, as in http://localhost:5173; repeatable',
  },
  store: {
    isPath: true,
    kind: 'text',
    defaultDescription: 'memory:',
    describe: 'Where to keep the state: file:orders.db, or redis://localhost:6379?prefix=orders',
  },
  workers: {
    kind: 'whole',
    from: 1,
    // Each is a process.
    to: 64,
    default: 1,
    describe: 'Answer with this many processes, to use several cores; 2 and more need a --store',
  },
  watch: {
    kind: 'switch',
    default: true,
    defaultDescription: 'on; URLs are not watched',
    describe: 'Reload the document, policy, data, faults, handlers and recording on change',
  },
  control: {
    kind: 'switch',
    default: true,
    defaultDescription: 'on, for this machine',
    describe: 'Serve the inspector and the control interface at /__cloche/; --no-control switches them off',
  },
  'control-token': {
    isSecret: true,
    kind: 'token',
    defaultDescription: '$CLOCHE_CONTROL_TOKEN, or none',
    describe: 'Token that other machines need for /__cloche/; without one only this machine may use it',
  },
  log: {
    kind: 'word',
    choices: ['lines', 'json', 'exchanges'],
    default: 'lines',
    describe: 'Request log: lines, json (cloche/log.schema.json), or exchanges, JSON that check can judge',
  },
  preflights: {
    kind: 'switch',
    default: false,
    defaultDescription: 'off',
    describe: 'Log the preflights of browsers (CORS), too',
  },
} as const;
