import type { InvalidParameter } from '../../contract/check-parameters.ts';
import type { Contract, DeclaredResponse, MediaTypeContract, Operation } from '../../contract/contract.ts';
import type { Answer, ContentFault, Exchange, HttpResponse } from '../../http/message.ts';
import type { JsonSyntaxProblem, ParsedJson } from '../../json/parse.ts';
import type { JsonPointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import { type HeldPolicy, policyOf } from '../../policy/policy.ts';
import type { QuestionId } from '../../policy/question.ts';
import { questions } from '../../policy/questions/index.ts';
import type { CompiledSchema } from '../../schema/compile.ts';
import type { SchemaProblem } from '../../schema/problems.ts';
import type { Finding } from '../finding.ts';

/** The content of a response, held against the media types that are declared for its status. */
export type ContentReading =
  | { readonly kind: 'none' }
  | ({ readonly media: MediaTypeContract | undefined } &
      /** JSON, or other structured content. */
      (
        | { readonly kind: 'json'; readonly json: ParsedJson }
        | { readonly kind: 'not-json'; readonly problem: JsonSyntaxProblem }
        | { readonly kind: 'not-utf8' }
        /** JSON by its media type, in a content coding that it is not in, or that the client cannot take off. */
        | { readonly kind: 'undecoded'; readonly fault: ContentFault }
        /** JSON by its media type, and longer than is read. */
        | { readonly kind: 'cut' }
        /** Of a media type whose content is not read. */
        | { readonly kind: 'other'; readonly mediaType: string | undefined }
      ));

/** An answer, read from the bytes that came. */
export type ClassifiedResponse =
  | { readonly kind: 'none'; readonly answer: Exclude<Answer, { readonly kind: 'response' }> }
  | {
      readonly kind: 'response';
      readonly response: HttpResponse;
      readonly declared: DeclaredResponse | undefined;
      readonly content: ContentReading;
    };

/** What every check may know besides the exchange. */
export interface CheckContext extends HeldPolicy {
  readonly contract: Contract;
  /** The tokens that the service is known to accept; never printed. */
  readonly goodTokens: readonly string[];
  /** The ids of the operations that accepted a plain request: what they refuse can be held against that. */
  readonly taken: ReadonlySet<string>;
  /** Those that accepted equal plain bodies under different keys: none of their values has to be unique. */
  readonly takesEqual?: ReadonlySet<string>;
  /** Whether a plain request to an operation, which may still be under way, held a telltale text. */
  readonly wasSent: (operationId: string, text: string) => boolean;
  /** Whether a request beside a trace, under way from one exchange of it to another, may have made again what one made. */
  readonly mayBeMadeAgain?: (made: CheckedExchange, from: CheckedExchange, to: CheckedExchange) => boolean;
  /** The length in bytes of the longest plain body that was sent so far. */
  readonly longestPlainBody: number;
  /** The cursors that answers gave: a service knows them, whatever it may say of others. */
  readonly cursors?: ReadonlySet<string>;
  /** Whether what answers is a mock of Cloche, which says of itself what it could not make. */
  readonly isMock?: boolean;
}

/** What checks may know where a request reached an operation: its own answers stand before those of the service. */
export function contextOf(context: CheckContext, operation: Operation | undefined): CheckContext {
  const own = operation === undefined ? undefined : context.policy.operations?.[operation.id];
  if (operation === undefined || own === undefined) return context;
  const enforced = Object.values(questions).flatMap(({ id }) => (own[id] === undefined ? [] : [id]));
  return {
    ...context,
    policy: policyOf(context.policy, operation.id),
    enforced: new Set([...context.enforced, ...enforced]),
    ...(own.echo === undefined ? {} : { echo: own.echo === 'exact' ? 'violation' : undefined }),
  };
}

/** The credentials of a request, held against what its operation asks for. */
export type CredentialsReading =
  /** The operation asks for none, or lets anonymous requests in. */
  | 'not-required'
  | 'good'
  /** A good token, the scheme in another case or more than one space behind it. */
  | 'good-unusual'
  | 'missing'
  /** Something is there that is not of the scheme asked for, or no token in it. */
  | 'other'
  /** A token of the right scheme that is not known to be good. */
  | 'unknown-token'
  /** The scheme is one that Cloche does not judge. */
  | 'unjudged';

/** Where a valid body leaves what anybody would send, and how, in words: `characters past ASCII`. */
export interface Oddity {
  readonly place: JsonPointer;
  readonly words: string;
}

/** What readers disagree about in a body that its schema accepts, in words. */
export interface Ambiguity {
  readonly reason: string;
  /** The questions on which alone it depends whether the body is taken; none where no policy says. */
  readonly questions: readonly QuestionId[];
}

/** What a schema-valid body is besides valid. */
export type BodyGrade =
  | { readonly kind: 'plain' }
  | { readonly kind: 'extreme'; readonly oddities: readonly [Oddity, ...Oddity[]] }
  | ({ readonly kind: 'contested' } & Ambiguity);

/** Why a body is no JSON. */
export interface MalformedExplanation {
  readonly reason: string;
  /** The known extension of JSON under which it reads as a valid body, if there is one. */
  readonly extension: string | undefined;
}

/** A body, decoded and validated as a server would. */
export type BodyReading =
  /** None is sent where none is declared, or where it may be left out. */
  | { readonly kind: 'not-expected' }
  | { readonly kind: 'valid'; readonly grade: BodyGrade; readonly value: JsonValue; readonly exact: boolean }
  | {
      readonly kind: 'invalid';
      readonly problems: readonly SchemaProblem[];
      readonly value: JsonValue;
      readonly schema: CompiledSchema;
    }
  /** Found out when asked for: it matters only where such a body is taken, and costs more than all the rest. */
  | { readonly kind: 'malformed'; readonly explain: () => MalformedExplanation }
  | {
      readonly kind: 'other-media';
      readonly mediaType: string | undefined;
      /** Whether it holds a valid body in JSON or in the notation of its own media type. */
      readonly carries: boolean;
      /** The body that it holds in JSON, where that is plain. */
      readonly plainJson: JsonValue | undefined;
    }
  /** Declared, but in a media type whose content Cloche does not read. */
  | { readonly kind: 'unjudged'; readonly mediaType: string };

/** A request, read from the bytes that left. */
export interface RequestReading {
  readonly credentials: CredentialsReading;
  readonly body: BodyReading;
  readonly bodyBytes: number;
  /**
   * `allocated`: drawn fresh; `twin`: drawn fresh, and one with a number that was sent before to a service that
   * loses digits or bits; `chosen`: the case fixed it, so it may exist; `sent`: sent before in this run.
   */
  readonly key: 'none' | 'allocated' | 'twin' | 'chosen' | 'sent';
  /** Whether the declared success can meet Accept; `contested` where readers of Accept disagree. */
  readonly accept: 'met' | 'unmet' | 'contested';
  /** Formats aside. */
  readonly invalidParameters: readonly InvalidParameter[];
  /** Whether a parameter breaks its `format`; known where it was refused in a way that the document does not declare. */
  readonly breaksFormat?: boolean;
  /** Whether the declared media type is written in another case or with parameters (RFC 9110 §8.3.1). */
  readonly mediaTypeSpelling: 'usual' | 'unusual';
  readonly framing: 'content-length' | 'chunked' | 'several-packets';
}

/** An exchange, how it was read, and what was found. */
export interface CheckedExchange {
  readonly exchange: Exchange;
  readonly operation: Operation | undefined;
  /** Whether the document has the path of the request, whatever its method. */
  readonly knowsPath: boolean;
  readonly request: RequestReading;
  readonly answer: ClassifiedResponse;
  readonly findings: readonly Finding[];
}

/** An exchange as it was read, before anything is concluded. */
export type CheckInput = Omit<CheckedExchange, 'findings'>;

/** What several exchanges show together. */
export interface TraceFinding extends Finding {
  /** The exchanges that show it. @defaultValue all */
  readonly shownBy?: readonly CheckedExchange[];
}

/** Concludes from several exchanges that belong together, in the order in which they were sent. */
export type TraceCheck = (
  trace: readonly CheckedExchange[],
  context: CheckContext,
) => readonly TraceFinding[];
