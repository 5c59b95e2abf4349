import type { DocumentPlace, DocumentWarning, TextLocation } from '../document/document.ts';
import type { Codec, DeclaredContent } from '../http/codecs/codec.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Parameter } from './read-parameters.ts';

/** A media type with its schema (OpenAPI 3.1 §4.8.14). */
export interface MediaTypeContract extends DeclaredContent {
  /** Reads and writes its content; undefined for a range, and for a media type without a codec. */
  readonly codec: Codec | undefined;
  /** Its examples, the single `example` first. */
  readonly examples: readonly JsonValue[];
}

/** Which statuses a response of the document speaks for (OpenAPI 3.1 §4.8.16). */
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
  /** Empty where the response has no content. */
  readonly media: readonly MediaTypeContract[];
  readonly pointer: JsonPointer;
}

/** Where the key of a created resource comes from. */
export type ResourceKey =
  /** The client sends it, in this property of the body or in the path of a PUT; or the service makes it and answers with it. */
  | {
      readonly kind: 'client' | 'server';
      readonly property: string;
      readonly evidence: string;
      /** Where no body of a create has to have it: reads and lists show a number. */
      readonly isNumber?: true;
    }
  | { readonly kind: 'none'; readonly evidence: string };

/** How much speaks for what was inferred: the document says it by `x-cloche-resource`, or it is more or less plain. */
export type Certainty = 'declared' | 'sure' | 'likely' | 'guessed';

/** What a document lets clients keep: items in a collection, or one thing without siblings, a singleton. */
export interface Resource {
  /** The last word of its path, or the name that `x-cloche-resource` gives. */
  readonly name: string;
  readonly kind: 'collection' | 'singleton';
  /** The template of the path of the collection, or of the singleton: `/shops/{shop}/orders`. */
  readonly collection: string;
  /** The parameter that the path of an item ends in; undefined where items have no path. */
  readonly parameter: string | undefined;
  readonly key: ResourceKey;
  /** The collection of the resource whose items hold this one. */
  readonly parent: string | undefined;
  /** The template of a shorter path at which the items of all parents are read, changed or deleted: `/orders`. */
  readonly shallow?: string;
  /** Whether clients can fill it: by a create, by PUT on an item, or as a singleton. Else what reads it is a sample. */
  readonly isKept: boolean;
}

/** How a response holds a list of resources. */
export interface ListShape {
  readonly kind: 'array' | 'map' | 'ids';
  /** The names of the members that lead to the list. */
  readonly path: readonly string[];
  /** The names of the members that lead from an element to the resource. */
  readonly element: readonly string[];
}

interface ResourceRole {
  readonly resource: Resource;
  /** What speaks for it, in words. */
  readonly evidence: string;
  readonly certainty: Certainty;
}

/** The names of the members that lead to a resource in a body; empty where it stands bare. */
type MemberPath = readonly string[];

/** What an operation does, as far as it can be inferred from the document. */
export type OperationKind =
  | (ResourceRole & {
      readonly kind: 'create';
      /** The path that is posted to; a resource is kept under the concrete URL of its parent. */
      readonly collection: string;
      readonly key: ResourceKey;
      /** The declared success response that a create is answered with; undefined where none is declared. */
      readonly success: JsonPointer | undefined;
      readonly request: MemberPath;
      /** Undefined where the response does not show the resource. */
      readonly response: MemberPath | undefined;
    })
  | (ResourceRole & { readonly kind: 'list'; readonly list: ListShape })
  | (ResourceRole & { readonly kind: 'read' | 'delete'; readonly response: MemberPath | undefined })
  | (ResourceRole & {
      readonly kind: 'replace' | 'update';
      readonly request: MemberPath;
      readonly response: MemberPath | undefined;
      /** Whether an item that is not there is created. */
      readonly creates: boolean;
    })
  /** Something else that is done with an item, and answers with it. */
  | (ResourceRole & { readonly kind: 'action'; readonly response: MemberPath })
  /** No state can answer it: a sample is served. */
  | {
      readonly kind: 'sample';
      readonly evidence: string;
      /** Set if data fills what a GET shows in place of the sample. */
      readonly isFilled?: true;
    };

/** A path as the document has it (OpenAPI 3.1 §4.8.8), cut at its slashes. */
export interface PathTemplate {
  /** `/shops/{shop}/orders` */
  readonly template: string;
  readonly segments: readonly PathSegment[];
}

/** One segment: literal text and parameters in turn, most often only one of the two. */
export type PathSegment =
  | { readonly kind: 'literal'; readonly text: string }
  /** `{shop}` */
  | { readonly kind: 'parameter'; readonly name: string }
  /** `{name}.{extension}`: what stands before the parameters, and behind the last one: one text more than names. */
  | { readonly kind: 'mixed'; readonly literals: readonly string[]; readonly names: readonly string[] };

/** The body that an operation takes (OpenAPI 3.1 §4.8.13). */
export interface RequestBody {
  readonly required: boolean;
  readonly media: readonly MediaTypeContract[];
  readonly pointer: JsonPointer;
}

/** A way to show who one is (OpenAPI 3.1 §4.8.27). */
export type SecurityScheme =
  /** HTTP bearer, and OAuth 2 and OpenID Connect, whose tokens travel as bearer tokens (RFC 6750 §2.1). */
  | { readonly kind: 'bearer'; readonly name: string }
  | { readonly kind: 'basic'; readonly name: string }
  | {
      readonly kind: 'api-key';
      readonly name: string;
      readonly in: 'header' | 'query' | 'cookie';
      readonly parameter: string;
    }
  /** Another HTTP scheme, or mutual TLS: the mock lets it pass and the checks say that they did not look. */
  | { readonly kind: 'unjudged'; readonly name: string; readonly reason: string };

/** Schemes that are all wanted together. Empty: anonymous requests are let in. */
export type SecurityAlternative = readonly SecurityScheme[];

/** An item of a resource that a path names by one of its parameters: `/projects/{projectId}` of `/projects/{projectId}/tasks`. */
export interface PathItem {
  readonly parameter: string;
  /** The template of the path up to the item. */
  readonly path: string;
  readonly resource: Resource;
  /** The id of the operation that makes one: a create, or a PUT that creates; undefined where none does. */
  readonly maker: string | undefined;
  /** The id of the operation that lists them. */
  readonly lister: string | undefined;
  /** How a response of the maker gives the value of the parameter, if a link or `Location` says so; see PathLink. */
  readonly expression?: string;
}

/** A property of a request body that names an item by its key. */
export interface BodyItem {
  readonly pointer: JsonPointer;
  readonly item: PathItem;
  /** Whether it is the item that the operation changes, rather than one that it refers to. */
  readonly isOwn: boolean;
}

/** One method on one path of the document (OpenAPI 3.1 §4.8.10). */
export interface Operation {
  /** The operationId, or `POST /orders` where the document gives none. */
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  readonly path: PathTemplate;
  /** The place of the operation in the document. */
  readonly pointer: JsonPointer;
  /** Those of the path item included. */
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly DeclaredResponse[];
  /** Any one of these lets a request in; none at all means that no credentials are asked for. */
  readonly security: readonly SecurityAlternative[];
  readonly kind: OperationKind;
  /** The items that its path names, the outermost first; only those that can be made or listed. */
  readonly items: readonly PathItem[];
  /** The items that its body names, found when they are first asked for. */
  readonly bodyItems: () => readonly BodyItem[];
  /** An error in the document makes the declaration ambiguous: the mock serves the rest of it, and runs do not test it. */
  readonly isUnclear?: true;
  /** Names that error: `error in tasks.yaml:22`. */
  readonly unclearReason?: string;
}

/** What a document says, in the form that the mock, the checks and the generators read. */
export interface Contract {
  /** Where the document was read from, as it was named. */
  readonly source: string;
  readonly title: string;
  /** The version of the interface description (`info.version`). */
  readonly version: string;
  readonly openapi: '3.0' | '3.1';
  /** The version that the document itself has: `2.0`, `3.1.0`. @defaultValue that of `openapi` */
  readonly writtenVersion?: string;
  /** The slips of the document, and what is done about each, in the order of the text. */
  readonly warnings: readonly DocumentWarning[];
  /** In the order of the document. */
  readonly operations: readonly Operation[];
  /** The document itself, every `$ref` internal. */
  readonly root: JsonObject;
  /** What a place of `root` is called in the text that the user wrote, which may be another file. */
  readonly placeOf: (pointer: JsonPointer) => DocumentPlace;
  /** The line of a place that `placeOf` named; it looks through the document, so it is asked once a finding. */
  readonly locate: (place: DocumentPlace) => TextLocation | undefined;
}

/** Returns the place of a document problem, the problem, and what Cloche does about it. */
export function describeWarning(warning: Contract['warnings'][number]): string {
  const { file, line, column, reason, effect, isUnclear } = warning;
  const left = isUnclear ? '; runs do not test it' : '';
  return `${file}:${line}:${column}: ${reason}; ${effect}${left}.`;
}
