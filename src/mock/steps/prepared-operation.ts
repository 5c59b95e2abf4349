import type { Act } from '../act/act.ts';
import type { Parameter } from '../../contract/parameter.ts';
import type { ParameterCheck } from '../../contract/parameters/create-parameter-check.ts';
import type { BodyCheck } from '../content/create-body-check.ts';
import type { ContentReader } from '../content/create-content-reader.ts';
import type { Authenticator } from '../credentials/create-authenticator.ts';
import type { Refuse } from '../refusals/create-refuser.ts';

/** An operation with everything that an answer needs, made ready at load. */
export interface PreparedOperation {
  /** Undefined where no credentials are asked for. */
  readonly authenticate: Authenticator | undefined;
  /** Whether credentials come before the content of the request, or after it. */
  readonly authenticatesFirst: boolean;
  readonly parameters: readonly Parameter[];
  readonly checkParameters: readonly ParameterCheck[];
  /** Whether a parameter stands in the query. */
  readonly readsQuery: boolean;
  /** Both undefined where the operation takes no body. */
  readonly readContent: ContentReader | undefined;
  readonly checkBody: BodyCheck | undefined;
  /** The media type that Accept must allow, or undefined where Accept is not looked at. */
  readonly mustAccept: string | undefined;
  readonly refuse: Refuse;
  readonly act: Act;
}
