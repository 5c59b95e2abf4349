// The mock for web pages. It reads a document that `cloche bundle` wrote into one JSON file.
export { createBrowserMock as createMock } from './mock/create-browser-mock.ts';
export type { BrowserMock, BrowserMockOptions } from './mock/create-browser-mock.ts';
export type { Mock } from './mock/mock.ts';
export type { JsonDocument } from './document/read-json-document.ts';
export { DataError, type BadRow } from './mock/state/rows.ts';

// The policy: behaviour that the document does not specify.
export { createPolicy, defaultPolicy } from './policy/policy.ts';
export type { Policy } from './policy/policy.ts';
export type { BehaviourValues } from './policy/behaviour.ts';

// Errors that Cloche throws.
export { ClocheError } from './errors/cloche-error.ts';
export type { ErrorCode } from './errors/cloche-error.ts';
