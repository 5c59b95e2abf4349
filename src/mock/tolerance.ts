import { findInvalidParameter, type ParameterCheck } from '../contract/check-parameters.ts';
import type { Parameter } from '../contract/read-parameters.ts';
import { explainParameter, type Refuse } from './answer/refusal.ts';
import { type OperationHandler, sourceOf, type ValidRequest } from './handlers/stored-form.ts';
import { type MaybePromise, type MockResponse, type RequestProblem, whenThere } from './message.ts';
import type { BodyCheck, ContentReader } from './request/body.ts';

/** How a mock treats invalid requests: it refuses them, accepts them with a note in the log, or does not check them. */
export type Validation = 'on' | 'warn' | 'off';

/** A problem of a request that the mock accepts nevertheless. */
interface Ignored {
  readonly message: string;
  readonly problems?: (() => readonly RequestProblem[]) | undefined;
}

/** The parts of a prepared operation that check its requests. */
interface Checked {
  readonly parameters: readonly Parameter[];
  readonly checkParameters: readonly ParameterCheck[];
  readonly readContent: ContentReader | undefined;
  readonly checkBody: BodyCheck | undefined;
  readonly refuse: Refuse;
  readonly handle: OperationHandler;
}

/**
 * Returns an operation that accepts invalid parameters and bodies. With `warn`, the log names their problems. Credentials
 * are checked as usual. A body that no resource can hold, such as a list, is still refused.
 */
export function tolerate<Whole extends Checked>(operation: Whole, validation: 'warn' | 'off'): Whole {
  const { readContent, handle } = operation;

  function answer(request: ValidRequest): MaybePromise<MockResponse> {
    try {
      return handle(request);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const message = 'The body has a form that the operation cannot keep.';
      return operation.refuse({ condition: 'invalid-body', message });
    }
  }

  return {
    ...operation,
    checkParameters: [],
    checkBody: undefined,
    readContent:
      readContent &&
      ((head, content) => {
        const reading = readContent(head, content);
        return reading.kind === 'refused' ? { kind: 'skipped' } : reading;
      }),
    handle:
      validation === 'off'
        ? answer
        : (request) =>
            whenThere(answer(request), (made) => {
              const ignored = made.note.condition === undefined ? findProblem(operation, request) : undefined;
              return ignored === undefined ? made : { ...made, note: { ...made.note, ...ignored } };
            }),
  };
}

function findProblem(operation: Checked, request: ValidRequest): Ignored | undefined {
  const wrong = findInvalidParameter(operation.checkParameters, sourceOf(request));
  if (wrong !== undefined) {
    return {
      message: `Accepted, although ${wrong.reason}.`,
      problems: () => [explainParameter(wrong, operation.parameters)],
    };
  }
  const { head, bytes } = request;
  const reading = operation.readContent?.(head, bytes);
  if (reading?.kind === 'refused') return toIgnored(reading);
  const problem =
    reading?.kind === 'value'
      ? operation.checkBody?.(reading.value, reading.exact, reading.media)
      : undefined;
  return problem && toIgnored(problem);
}

function toIgnored({ message, problems }: Ignored): Ignored {
  return { message: `Accepted, although: ${message}`, problems };
}
