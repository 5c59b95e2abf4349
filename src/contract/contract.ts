import type { DocumentPlace, DocumentWarning, TextLocation } from '../document/document.ts';
import type { Codec, DeclaredContent } from '../http/codecs/codec.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Parameter } from './read-parameters.ts';

/** A media type with its schema (OpenAPI 3.1 §4.8.14). */
export interface MediaTypeContract extends DeclaredContent {
  /** Encodes and decodes its content; undefined for a range, and for a media type without a codec. */
  readonly codec: Codec | undefined;
  /** Its examples, the single `example` first. */
  readonly examples: readonly JsonValue[];
  /** The options of `x-cloche-stream`. */
  readonly stream?: StreamOptions;
}

/** How a mock sends the events of a stream. */
export interface StreamOptions {
  /** The time between two events, in milliseconds. @defaultValue 50 */
  readonly pauseMs?: number;
  /** Whether the stream stays open after its last event. @defaultValue false */
  readonly open?: boolean;
}

/** The statuses that a declared response applies to (OpenAPI 3.1 §4.8.16). */
export type StatusPattern =
  | { readonly kind: 'exact'; readonly status: number }
  /** `4XX` is 4. */
  | { readonly kind: 'range'; readonly hundreds: number }
  | { readonly kind: 'default' };

/** A header field of a declared response (OpenAPI 3.1 §4.8.21). */
export type DeclaredHeader = Pick<Parameter, 'name' | 'required' | 'schema' | 'examples' | 'pointer'>;

/** A response that the document declares for an operation (OpenAPI 3.1 §4.8.17). */
export interface DeclaredResponse {
  readonly status: StatusPattern;
  readonly description: string;
  readonly headers: readonly DeclaredHeader[];
  /** Empty if the response has no content. */
  readonly media: readonly MediaTypeContract[];
  readonly pointer: JsonPointer;
}

/** The source of the id of a created resource. */
export type ResourceKey =
  /** The client sends it in this property or in the path of a PUT, or the service generates and returns it. */
  | {
      readonly kind: 'client' | 'server';
      readonly property: string;
      readonly evidence: string;
      /** Whether reads and lists show a number although the body of a create need not contain the id. */
      readonly isNumber?: true;
    }
  | { readonly kind: 'none'; readonly evidence: string };

/** The confidence in an inference. `declared`: the document states it with `x-cloche-resource`. */
export type Certainty = 'declared' | 'sure' | 'likely' | 'guessed';

/** State that clients can change: a collection of items, or a singleton (one thing without siblings). */
export interface Resource {
  /** The last word of its path, or the name given by `x-cloche-resource`. */
  readonly name: string;
  readonly kind: 'collection' | 'singleton';
  /** The path template of the collection or of the singleton: `/shops/{shop}/orders`. */
  readonly collection: string;
  /** The parameter at the end of the path of an item; undefined if items have no path. */
  readonly parameter: string | undefined;
  readonly key: ResourceKey;
  /** The collection of the parent resource. */
  readonly parent: string | undefined;
  /** The template of a shorter path that reads, changes or deletes the items of all parents: `/orders`. */
  readonly shallow?: string;
  /** Whether clients can fill it: by a create, by PUT on an item, or as a singleton. If not, reads return samples. */
  readonly isKept: boolean;
}

/** The location of a list of resources in a response. */
export interface ListShape {
  readonly kind: 'array' | 'map' | 'ids';
  /** The names of the members that lead to the list. */
  readonly path: readonly string[];
  /** The names of the members that lead from an element to the resource. */
  readonly element: readonly string[];
}

interface ResourceRole {
  readonly resource: Resource;
  /** The reason for the inference, as a text. */
  readonly evidence: string;
  readonly certainty: Certainty;
}

/** The names of the members that lead to a resource in a body; empty if the body is the resource. */
type MemberPath = readonly string[];

/** The effect of an operation, as inferred from the document. */
export type OperationKind =
  | (ResourceRole & {
      readonly kind: 'create';
      /** The path of the POST. A resource is stored under the concrete URL of its parent. */
      readonly collection: string;
      readonly key: ResourceKey;
      /** The success response that the document declares for the create; undefined if it declares none. */
      readonly success: JsonPointer | undefined;
      readonly request: MemberPath;
      /** Undefined if the response does not contain the resource. */
      readonly response: MemberPath | undefined;
    })
  | (ResourceRole & { readonly kind: 'list'; readonly list: ListShape })
  | (ResourceRole & { readonly kind: 'read' | 'delete'; readonly response: MemberPath | undefined })
  | (ResourceRole & {
      readonly kind: 'replace' | 'update';
      readonly request: MemberPath;
      readonly response: MemberPath | undefined;
      /** Whether the operation creates an item that does not exist. */
      readonly creates: boolean;
    })
  /** Another action on an item, which returns the item. */
  | (ResourceRole & { readonly kind: 'action'; readonly response: MemberPath })
  /** Independent of the state: the mock returns a sample. */
  | {
      readonly kind: 'sample';
      readonly evidence: string;
      /** Set if a GET returns seed data instead of the sample. */
      readonly isFilled?: true;
    };

/** A path as written in the document (OpenAPI 3.1 §4.8.8), split at its slashes. */
export interface PathTemplate {
  /** `/shops/{shop}/orders` */
  readonly template: string;
  readonly segments: readonly PathSegment[];
}

/** A segment of a path. Most have either literal text or one parameter. */
export type PathSegment =
  | { readonly kind: 'literal'; readonly text: string }
  /** `{shop}` */
  | { readonly kind: 'parameter'; readonly name: string }
  /** `{name}.{extension}`: the texts before, between and after the parameters; one text more than names. */
  | { readonly kind: 'mixed'; readonly literals: readonly string[]; readonly names: readonly string[] };

/** The request body of an operation (OpenAPI 3.1 §4.8.13). */
export interface RequestBody {
  readonly required: boolean;
  readonly media: readonly MediaTypeContract[];
  readonly pointer: JsonPointer;
}

/** A request that the service sends: a callback (OpenAPI 3.1 §4.8.18) or a webhook (§4.8.1). */
export interface OutgoingRequest {
  readonly name: string;
  /** The URL of a callback: a runtime expression, or a text with expressions in braces (§4.8.20.4). */
  readonly url?: string;
  readonly method: string;
  readonly requestBody: RequestBody | undefined;
  /** The first declared success status of its receiver; 200 if none is declared. */
  readonly success: number;
  readonly pointer: JsonPointer;
}

/** A way to authenticate (OpenAPI 3.1 §4.8.27). */
export type SecurityScheme =
  /** HTTP bearer, OAuth 2 and OpenID Connect: all send bearer tokens (RFC 6750 §2.1). */
  | {
      readonly kind: 'bearer';
      readonly name: string;
      /** The scopes that an OAuth 2 or OpenID Connect token needs here; omitted if it needs none. */
      readonly scopes?: readonly string[];
    }
  | { readonly kind: 'basic'; readonly name: string }
  | {
      readonly kind: 'api-key';
      readonly name: string;
      readonly in: 'header' | 'query' | 'cookie';
      readonly parameter: string;
    }
  /** Another HTTP scheme, or mutual TLS: the mock accepts every request, and the checks report it as unchecked. */
  | { readonly kind: 'unjudged'; readonly name: string; readonly reason: string };

/** Schemes that are required together. If empty, anonymous requests are accepted. */
export type SecurityAlternative = readonly SecurityScheme[];

/** An item that a path parameter identifies: `/projects/{projectId}` of `/projects/{projectId}/tasks`. */
export interface PathItem {
  readonly parameter: string;
  /** The template of the path up to the item. */
  readonly path: string;
  readonly resource: Resource;
  /** The id of the operation that creates an item: a create, or a PUT that creates; undefined if there is none. */
  readonly maker: string | undefined;
  /** The id of the operation that lists the items. */
  readonly lister: string | undefined;
  /** The place of the parameter value in a response of the maker, if a link or `Location` declares it; see PathLink. */
  readonly expression?: string;
}

/** A property of a request body that contains the id of an item. */
export interface BodyItem {
  readonly pointer: JsonPointer;
  readonly item: PathItem;
  /** Whether the operation changes this item, instead of only referring to it. */
  readonly isOwn: boolean;
}

/** One method on one path of the document (OpenAPI 3.1 §4.8.10). */
export interface Operation {
  /** The operationId, or `POST /orders` if the document has none. */
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  readonly path: PathTemplate;
  /** The place of the operation in the document. */
  readonly pointer: JsonPointer;
  /** Includes those of the path item. */
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly DeclaredResponse[];
  /** Each alternative is enough. If the list is empty, no credentials are required. */
  readonly security: readonly SecurityAlternative[];
  readonly kind: OperationKind;
  /** The items in its path, outermost first; only items that can be created or listed. */
  readonly items: readonly PathItem[];
  /** Returns the items in its body; found on first use. */
  readonly bodyItems: () => readonly BodyItem[];
  /** Returns its callbacks; undefined if it declares none. */
  readonly callbacks?: (() => readonly OutgoingRequest[]) | undefined;
  /** Set if an error makes the declaration ambiguous: the mock serves the rest of it, and runs do not test it. */
  readonly isUnclear?: true;
  /** Names that error: `error in tasks.yaml:22`. */
  readonly unclearReason?: string;
}

/** The model of a document that the mock, the checks and the generators use. */
export interface Contract {
  /** The source of the document, as the user named it. */
  readonly source: string;
  readonly title: string;
  /** The version of the interface description (`info.version`). */
  readonly version: string;
  readonly openapi: '3.0' | '3.1';
  /** The version that the document itself states: `2.0`, `3.1.0`. @defaultValue that of `openapi` */
  readonly writtenVersion?: string;
  /** The problems of the document and their effects, in the order of the text. */
  readonly warnings: readonly DocumentWarning[];
  /** In the order of the document. */
  readonly operations: readonly Operation[];
  /** Returns the webhooks of the document; undefined if it declares none. */
  readonly webhooks?: (() => readonly OutgoingRequest[]) | undefined;
  /** The document, with only internal `$ref`s. */
  readonly root: JsonObject;
  /** Maps a place of `root` to the place in the text that the user wrote, which may be another file. */
  readonly placeOf: (pointer: JsonPointer) => DocumentPlace;
  /** Returns the line of a place from `placeOf`. It searches the document: call it once per finding. */
  readonly locate: (place: DocumentPlace) => TextLocation | undefined;
}

/** Finds an operation by its id, or by its method and path template: `GET /orders/{id}`. */
export function findOperation(operations: readonly Operation[], name: string): Operation | undefined {
  return (
    operations.find(({ id }) => id === name) ??
    operations.find(({ method, path }) => `${method} ${path.template}` === name)
  );
}

/** Returns the place of a document problem, the problem, and what Cloche does about it. */
export function describeWarning(warning: Contract['warnings'][number]): string {
  const { file, line, column, reason, effect, isUnclear } = warning;
  const left = isUnclear ? '; runs do not test it' : '';
  return `${file}:${line}:${column}: ${reason}; ${effect}${left}.`;
}
