// What runs in a page: the mock, on a document that was made one JSON file by `cloche bundle`.
export { createBrowserMock as createMock } from './mock/create-browser-mock.ts';
export type { BrowserMock, BrowserMockOptions } from './mock/create-browser-mock.ts';
export type { Mock } from './mock/mock.ts';
export type { JsonDocument } from './document/read-json-document.ts';
export { DataError, type BadRow } from './mock/state/rows.ts';

// What the document leaves unsaid.
export { createPolicy, defaultPolicy } from './policy/policy.ts';
export type { Policy } from './policy/policy.ts';
export type { Answers } from './policy/question.ts';

// What can go wrong in the tool itself.
export { ClocheError } from './errors/cloche-error.ts';
export type { ErrorCode } from './errors/cloche-error.ts';
