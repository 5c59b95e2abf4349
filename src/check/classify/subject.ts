import type { InvalidParameter } from '../../contract/check-parameters.ts';
import type {
  Contract,
  DeclaredResponse,
  MediaTypeContract,
  Operation,
  OutgoingRequest,
} from '../../contract/contract.ts';
import type { Answer, ContentFault, Exchange, HttpRequest, HttpResponse } from '../../http/message.ts';
import type { JsonSyntaxProblem, ParsedJson } from '../../json/parse.ts';
import type { JsonPointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import { type EnforcedPolicy, policyOf } from '../../policy/policy.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import { behaviours } from '../../policy/behaviours/index.ts';
import type { CompiledSchema } from '../../schema/compile.ts';
import type { SchemaProblem } from '../../schema/problems.ts';
import type { Finding } from '../finding.ts';

/** The content of a response, parsed by the media types that are declared for its status. */
export type ContentReading =
  | { readonly kind: 'none' }
  | ({ readonly media: MediaTypeContract | undefined } &
      /** JSON, or other structured content. */
      (
        | { readonly kind: 'json'; readonly json: ParsedJson }
        | { readonly kind: 'not-json'; readonly problem: JsonSyntaxProblem }
        /** Content that is malformed in a notation other than JSON; the reason has no full stop. */
        | {
            readonly kind: 'malformed';
            readonly media: MediaTypeContract;
            readonly reason: string;
          }
        | { readonly kind: 'not-utf8' }
        /** JSON by its media type, but not in the declared content coding, or in one that the client cannot decode. */
        | { readonly kind: 'undecoded'; readonly fault: ContentFault }
        /** JSON by its media type, but longer than the client reads. */
        | { readonly kind: 'cut' }
        /** Content of a media type that Cloche does not parse. */
        | { readonly kind: 'other'; readonly mediaType: string | undefined }
      ));

/** An answer, classified from the received bytes. */
export type ClassifiedResponse =
  | { readonly kind: 'none'; readonly answer: Exclude<Answer, { readonly kind: 'response' }> }
  | {
      readonly kind: 'response';
      readonly response: HttpResponse;
      readonly declared: DeclaredResponse | undefined;
      readonly content: ContentReading;
    };

/** The context of a check besides the exchange. */
export interface CheckContext extends EnforcedPolicy {
  readonly contract: Contract;
  /** The tokens that the service is known to accept; never printed. */
  readonly goodTokens: readonly string[];
  /** The ids of the operations that accepted a plain request; their rejections can be compared with it. */
  readonly taken: ReadonlySet<string>;
  /** The operations that accepted equal plain bodies with different ids, so no value has to be unique. */
  readonly acceptsEqual?: ReadonlySet<string>;
  /** Returns whether a plain request to an operation contained a canary text; it may be in flight. */
  readonly wasSent: (operationId: string, text: string) => boolean;
  /** Returns whether a concurrent request, in flight between two exchanges of a trace, may have recreated an item. */
  readonly mayBeMadeAgain?: (made: CheckedExchange, from: CheckedExchange, to: CheckedExchange) => boolean;
  /** Returns whether two requests were in flight at the same time. */
  readonly isConcurrent?: (one: CheckedExchange, other: CheckedExchange) => boolean;
  /** Returns the time from the response of one exchange to the request of another, in milliseconds. */
  readonly elapsedMs?: (from: CheckedExchange, to: CheckedExchange) => number;
  /** The length in bytes of the longest plain body that was sent up to now. */
  readonly longestPlainBody: number;
  /** The cursors from responses: the service must know them, even if it rejects others. */
  readonly cursors?: ReadonlySet<string>;
  /** The maximum time of a response, in milliseconds. @defaultValue no limit */
  readonly maxResponseMs?: number | undefined;
  /** Whether the service is a mock of Cloche; a mock reports values that it could not generate. */
  readonly isMock?: boolean;
}

/** Returns the context of checks for an operation: its own policy values override those of the service. */
export function contextOf(context: CheckContext, operation: Operation | undefined): CheckContext {
  const own = operation === undefined ? undefined : context.policy.operations?.[operation.id];
  if (operation === undefined || own === undefined) return context;
  const enforced = Object.values(behaviours).flatMap(({ id }) => (own[id] === undefined ? [] : [id]));
  return {
    ...context,
    policy: policyOf(context.policy, operation.id),
    enforced: new Set([...context.enforced, ...enforced]),
    ...(own.echo === undefined ? {} : { echo: own.echo === 'exact' ? 'violation' : undefined }),
  };
}

/** The credentials of a request, compared with those that its operation requires. */
export type ClassifiedCredentials =
  /** The operation requires no credentials, or allows anonymous requests. */
  | 'not-required'
  | 'good'
  /** A good token, but with its scheme in another case or followed by more than one space. */
  | 'good-unusual'
  | 'missing'
  /** Credentials of another scheme, or without a token. */
  | 'other'
  /** A token of the right scheme that is not known to be good. */
  | 'unknown-token'
  /** The scheme is one that Cloche does not check. */
  | 'unjudged';

/** An unusual value in a valid body, with a description: `characters past ASCII`. */
export interface Mutation {
  readonly place: JsonPointer;
  readonly words: string;
}

/** A reason why readers disagree about a schema-valid body, in words. */
export interface Ambiguity {
  readonly reason: string;
  /** The only behaviours that decide whether the body is accepted; empty if no policy specifies it. */
  readonly questions: readonly BehaviourId[];
}

/** The classification of a schema-valid body. */
export type BodyGrade =
  | { readonly kind: 'plain' }
  | { readonly kind: 'extreme'; readonly mutations: readonly [Mutation, ...Mutation[]] }
  | ({ readonly kind: 'ambiguous' } & Ambiguity);

/** The reason why a body is not JSON. */
export interface MalformedExplanation {
  readonly reason: string;
  /** The known extension of JSON that makes it a valid body, if there is one. */
  readonly extension: string | undefined;
}

/** A body, decoded and validated as by a server. */
export type ClassifiedBody =
  /** There is no body, and it is not declared or not required. */
  | { readonly kind: 'not-expected' }
  | { readonly kind: 'valid'; readonly grade: BodyGrade; readonly value: JsonValue; readonly exact: boolean }
  | {
      readonly kind: 'invalid';
      readonly problems: readonly SchemaProblem[];
      readonly value: JsonValue;
      readonly schema: CompiledSchema;
    }
  /** Computed on demand: it matters only if the body is accepted, and costs more than the rest of the reading. */
  | {
      readonly kind: 'malformed';
      /** The declared media type if it is not JSON. */
      readonly media?: MediaTypeContract;
      readonly explain: () => MalformedExplanation;
    }
  | {
      readonly kind: 'other-media';
      readonly mediaType: string | undefined;
      /** Whether it contains a valid body in JSON or in the notation of its media type. */
      readonly carries: boolean;
      /** The body that it contains as JSON, if that is plain. */
      readonly plainJson: JsonValue | undefined;
    }
  /** In a declared media type that Cloche does not parse. */
  | { readonly kind: 'unjudged'; readonly mediaType: string };

/** A request, parsed from the bytes that were sent. */
export interface ClassifiedRequest {
  readonly credentials: ClassifiedCredentials;
  readonly body: ClassifiedBody;
  readonly bodyBytes: number;
  /**
   * `allocated`: new; `colliding`: new, but equal to an id sent before if the service loses digits or bits of numbers;
   * `chosen`: fixed by the case, so it may exist; `sent`: sent before in this run.
   */
  readonly key: 'none' | 'allocated' | 'colliding' | 'chosen' | 'sent';
  /** Whether the declared success can satisfy Accept; `ambiguous` if parsers of Accept disagree. */
  readonly accept: 'met' | 'unmet' | 'ambiguous';
  /** Without problems of `format`. */
  readonly invalidParameters: readonly InvalidParameter[];
  /** Whether a parameter breaks its `format`; set only for a rejection that the document does not declare. */
  readonly breaksFormat?: boolean;
  /** Whether the declared media type is written in another case or with parameters (RFC 9110 §8.3.1). */
  readonly mediaTypeSpelling: 'usual' | 'unusual';
  readonly framing: 'content-length' | 'chunked' | 'several-packets';
}

/** An exchange, its classification, and its findings. */
export interface CheckedExchange {
  readonly exchange: Exchange;
  readonly operation: Operation | undefined;
  /** Whether the document has the path of the request, with any method. */
  readonly knowsPath: boolean;
  readonly request: ClassifiedRequest;
  readonly answer: ClassifiedResponse;
  readonly findings: readonly Finding[];
  /** The second user sent the request. @defaultValue the first one */
  readonly user?: 'other' | undefined;
  /** The callbacks that its request caused. @defaultValue none were received */
  readonly callbacks?: readonly ReceivedCallback[];
}

/** A callback that a run received. */
export interface ReceivedCallback {
  readonly request: HttpRequest;
  /** The callbacks that the document declares for its URL; there is at least one. */
  readonly declared: readonly [OutgoingRequest, ...OutgoingRequest[]];
}

/** A classified exchange, before the checks run. */
export type CheckInput = Omit<CheckedExchange, 'findings'>;

/** A finding from several exchanges together. */
export interface TraceFinding extends Finding {
  /** The exchanges that show it. @defaultValue all */
  readonly shownBy?: readonly CheckedExchange[];
}

/** Checks several exchanges that belong together, in the order in which they were sent. */
export type TraceCheck = (
  trace: readonly CheckedExchange[],
  context: CheckContext,
) => readonly TraceFinding[];
