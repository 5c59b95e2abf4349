import { expect, test } from 'vitest';
import { mergePolicyFiles, toPolicyFile } from './to-policy-file.ts';

const before = {
  contract: 'library.yaml',
  answers: { 'duplicate-key': 'refuse', echo: 'exact', accept: 406 },
  operations: { addReader: { 'duplicate-key': 'replace', 'body-limit': { bytes: 9, status: 413 } } },
  evidence: {
    service: 'http://127.0.0.1:1/',
    operations: { addBook: { 'duplicate-key': { seen: '1 of 1' }, echo: { seen: '1 of 1' } } },
  },
};

test('replaces the answers that were asked again, and keeps the others with their evidence', () => {
  const after = {
    answers: { 'duplicate-key': 'conflict' },
    evidence: {
      service: 'http://127.0.0.1:2/',
      operations: { addBook: { 'duplicate-key': { seen: '3 of 3' } } },
    },
  };
  expect(mergePolicyFiles({ before, after, asked: ['duplicate-key'] })).toEqual({
    contract: 'library.yaml',
    answers: { 'duplicate-key': 'conflict', echo: 'exact', accept: 406 },
    operations: { addReader: { 'body-limit': { bytes: 9, status: 413 } } },
    evidence: {
      service: 'http://127.0.0.1:2/',
      operations: { addBook: { 'duplicate-key': { seen: '3 of 3' }, echo: { seen: '1 of 1' } } },
    },
  });
});

test('leaves each answer in its place', () => {
  const merged = mergePolicyFiles({
    before,
    after: { answers: { 'duplicate-key': 'conflict' } },
    asked: ['duplicate-key'],
  });
  expect(JSON.stringify(merged['answers'])).toBe('{"duplicate-key":"conflict","echo":"exact","accept":406}');
});

test('drops an answer that was asked again and not found', () => {
  const merged = mergePolicyFiles({ before, after: { answers: {} }, asked: ['accept', 'echo'] });
  expect(merged['answers']).toEqual({ 'duplicate-key': 'refuse' });
});

test('writes no evidence of what was not asked', () => {
  const file = toPolicyFile(
    {
      answers: {},
      operations: {},
      questions: [
        { operationId: 'list', question: 'echo', outcome: { kind: 'not-asked', why: 'it creates nothing' } },
        { operationId: 'add', question: 'auth-order', outcome: { kind: 'not-asked', why: 'no credentials' } },
        { operationId: 'add', question: 'echo', outcome: { kind: 'unsettled', why: 'it fails' } },
      ],
      interrupted: false,
      requests: 1,
      creates: 1,
      waits: 0,
    },
    { contract: undefined, service: 'http://h/' },
  );
  expect(file['evidence']).toEqual({
    service: 'http://h/',
    operations: { add: { echo: { unsettled: 'it fails' } } },
  });
});
