/** The stable code of an error that the tool can raise. */
export type ErrorCode =
  | 'DOCUMENT_UNREADABLE'
  | 'DOCUMENT_SYNTAX'
  | 'DOCUMENT_VERSION'
  | 'DOCUMENT_INVALID'
  | 'REFERENCE_REFUSED'
  | 'SCHEMA_UNUSABLE'
  | 'JSON_SYNTAX'
  | 'OPTION_INVALID'
  | 'POLICY_INVALID'
  | 'BASELINE_INVALID'
  | 'TRAFFIC_UNREADABLE'
  | 'PORT_UNAVAILABLE'
  | 'REPORT_UNWRITABLE'
  | 'DATA_INVALID'
  | 'STORE_UNUSABLE'
  | 'CONTROL_FAILED'
  | 'MOCK_CLOSED'
  | 'CANNOT_JUDGE'
  | 'INTERNAL';

/**
 * Every error that the tool itself can raise, with the exit code a command ends with when it meets it.
 * A finding is not in this list: a service that breaks its contract is a result, not an error of ours.
 *
 * Exit codes: 2 usage or document, 3 the service cannot be judged, 4 an internal error.
 */
export const errorRegistry: Readonly<
  Record<ErrorCode, { readonly exitCode: 2 | 3 | 4; readonly about: string }>
> = {
  DOCUMENT_UNREADABLE: { exitCode: 2, about: 'The document cannot be opened or fetched.' },
  DOCUMENT_SYNTAX: { exitCode: 2, about: 'The document is neither YAML nor JSON.' },
  DOCUMENT_VERSION: { exitCode: 2, about: 'The document is not OpenAPI 3.0 or 3.1.' },
  DOCUMENT_INVALID: { exitCode: 2, about: 'The document does not follow its own specification.' },
  REFERENCE_REFUSED: { exitCode: 2, about: 'A reference leads out of the folder of the document.' },
  SCHEMA_UNUSABLE: { exitCode: 2, about: 'A schema cannot be compiled.' },
  JSON_SYNTAX: { exitCode: 2, about: 'A text is not JSON.' },
  OPTION_INVALID: { exitCode: 2, about: 'An option has a value that it cannot take.' },
  POLICY_INVALID: { exitCode: 2, about: 'A policy names a question or an answer that there is not.' },
  BASELINE_INVALID: {
    exitCode: 2,
    about: 'A baseline cannot be read or written, or names what is no finding.',
  },
  TRAFFIC_UNREADABLE: { exitCode: 2, about: 'A record of traffic cannot be read, or is no HAR file.' },
  PORT_UNAVAILABLE: { exitCode: 2, about: 'The mock or the proxy cannot listen where it was told to.' },
  REPORT_UNWRITABLE: { exitCode: 2, about: 'A report cannot be written where it was told to.' },
  DATA_INVALID: { exitCode: 2, about: 'Data cannot be read, or the contract does not take it.' },
  STORE_UNUSABLE: { exitCode: 2, about: 'A store cannot be opened, or does not answer.' },
  CONTROL_FAILED: {
    exitCode: 2,
    about: 'A running mock cannot be reached, or does not do what it was asked.',
  },
  MOCK_CLOSED: { exitCode: 2, about: 'A mock is asked for something after it was closed.' },
  CANNOT_JUDGE: { exitCode: 3, about: 'The service under test cannot be judged.' },
  INTERNAL: { exitCode: 4, about: 'Cloche itself is wrong.' },
};
