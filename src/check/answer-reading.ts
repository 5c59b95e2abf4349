import type { Answer } from '../http/answer.ts';
import type { ContentFault } from '../http/content-fault.ts';
import type { HttpResponse } from '../http/http-response.ts';
import type { DeclaredResponse } from '../contract/declared-response.ts';
import type { MediaTypeContract } from '../contract/media-type-contract.ts';
import type { ParsedJson } from '../json/read-exactly.ts';
import type { JsonSyntaxProblem } from '../json/json-syntax-problem.ts';

/** The content of a response, held against the media types that are declared for its status. */
export type ContentReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly json: ParsedJson; readonly media: MediaTypeContract | undefined }
  | {
      readonly kind: 'not-json';
      readonly problem: JsonSyntaxProblem;
      readonly media: MediaTypeContract | undefined;
    }
  | { readonly kind: 'not-utf8'; readonly media: MediaTypeContract | undefined }
  /** JSON by its media type, in a content coding that it is not in, or that the client cannot take off. */
  | {
      readonly kind: 'undecoded';
      readonly fault: ContentFault;
      readonly media: MediaTypeContract | undefined;
    }
  /** JSON by its media type, and longer than is read. */
  | { readonly kind: 'cut'; readonly media: MediaTypeContract | undefined }
  /** Of a media type whose content is not read. */
  | {
      readonly kind: 'other';
      readonly mediaType: string | undefined;
      readonly media: MediaTypeContract | undefined;
    };

/** An answer, read from the bytes that came. */
export type AnswerReading =
  | { readonly kind: 'none'; readonly answer: Exclude<Answer, { readonly kind: 'response' }> }
  | {
      readonly kind: 'response';
      readonly response: HttpResponse;
      /** What the document declares for the status, if anything. */
      readonly declared: DeclaredResponse | undefined;
      readonly content: ContentReading;
    };
