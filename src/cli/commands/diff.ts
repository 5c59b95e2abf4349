/** `cloche diff`: compares two documents, and says whom the changes break. */
export const diffCommand = {
  usage: 'diff <old> <new>',
  describe: 'Compare two documents: what breaks clients, and what breaks services',
  about: [
    'Compares two versions of a document, by operation. A change breaks clients if a',
    'valid request is refused now, or a response may be one that they cannot read.',
    'It breaks services if an implementation no longer conforms to the document.',
  ],
  options: {
    'The documents:': ['allow-references', 'strict-document', 'policy'],
    'What is written:': ['report'],
    'The verdict:': ['breaks'],
  },
  own: {
    policy: {
      describe: 'How the service behaves where the old document does not specify it, JSON or YAML',
    },
    report: {
      describe: 'Also write a report, as KIND=FILE; repeatable. KIND is json or sarif',
    },
  },
  examples: [
    ['diff old.yaml new.yaml', 'all changes, by operation'],
    ['diff old.yaml new.yaml --breaks clients', 'only what breaks clients fails'],
    ['diff old.yaml new.yaml --policy policy.yaml', 'observed behaviour counts, too'],
    ['diff old.yaml new.yaml --report sarif=diff.sarif', 'for code scanning'],
  ],
  exitCodes: [
    'Exit codes:',
    '  0  no break               2  usage, a document, or the policy',
    '  1  breaks                 4  Cloche itself failed',
  ],
} as const;
