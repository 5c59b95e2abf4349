// The types of a mock for `paths` and `operations` as openapi-typescript writes them. Nothing of it exists when a mock runs.
import type { JsonValue } from '../json/value.ts';
import type { ActiveFaultRule, FaultRule, FaultRules } from './faults/fault.ts';
import type { Mock, MockOptions } from './mock.ts';
import type { HandlerInput, HandlerResponse } from './user-handlers/handler.ts';

type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace' | 'query';
/** The value of a member, which may be missing or `never`. */
type Member<Holder, Name extends string> = Holder extends { readonly [Key in Name]?: infer Value }
  ? NonNullable<Value>
  : never;
type IsNever<Type> = [Type] extends [never] ? true : false;

/** `GET /orders/{id}` for each operation of `paths`. */
type RouteOf<Paths> = {
  [Path in keyof Paths & string]: {
    [Name in Method]: IsNever<Member<Paths[Path], Name>> extends true ? never : `${Uppercase<Name>} ${Path}`;
  }[Method];
}[keyof Paths & string];

/** The operation with an id or a route. */
type OperationAt<Paths, Operations, Name> = Name extends keyof Operations
  ? Operations[Name]
  : Name extends `${infer Verb} ${infer Path}`
    ? Path extends keyof Paths
      ? Member<Paths[Path], Lowercase<Verb>>
      : never
    : never;

type OperationName<Paths, Operations> = (keyof Operations & string) | RouteOf<Paths>;

/** The value of content: an object by media type. Other content than JSON and forms may be bytes. */
type ValueOf<Content> = {
  [Media in keyof Content]: Media extends `${string}json${string}` | `${string}form${string}`
    ? Content[Media]
    : Content[Media] | Uint8Array;
}[keyof Content];

type StatusOf<Key> = Key extends number ? Key : number;
type Success = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226;

/** The responses of an operation by status. `default` and ranges such as `4XX` allow any status. */
type Responses<Operation> = Member<Operation, 'responses'>;
type BodyOf<Declared> =
  IsNever<Member<Declared, 'content'>> extends true
    ? { readonly body?: undefined }
    : { readonly body: ValueOf<Member<Declared, 'content'>> };
type BodyAt<Operation, Status> = BodyOf<
  Status extends keyof Responses<Operation>
    ? Responses<Operation>[Status]
    : Responses<Operation>[Exclude<keyof Responses<Operation>, number>]
>;

/** A declared response of an operation; the status of a success may be left out. */
type TypedResponse<Operation> = {
  [Key in keyof Responses<Operation>]: Pick<HandlerResponse, 'headers'> &
    BodyOf<Responses<Operation>[Key]> &
    (Key extends Success ? { readonly status?: Key } : { readonly status: StatusOf<Key> });
}[keyof Responses<Operation>];

type Parameters<Operation, Place extends string> =
  IsNever<Member<Member<Operation, 'parameters'>, Place>> extends true
    ? Readonly<Record<string, JsonValue>>
    : Readonly<Member<Member<Operation, 'parameters'>, Place>>;
type RequestValue<Operation> =
  | ValueOf<Member<Member<Operation, 'requestBody'>, 'content'>>
  | (Operation extends { readonly requestBody: object } ? never : undefined);

/** A request of an operation with declared types, and what a handler needs to answer it. */
export type TypedInput<Operation> = Omit<HandlerInput, 'params' | 'query' | 'body' | 'respond' | 'next'> & {
  readonly params: Parameters<Operation, 'path'>;
  readonly query: Parameters<Operation, 'query'>;
  readonly body: RequestValue<Operation>;
  readonly respond: <Status extends StatusOf<keyof Responses<Operation>>>(
    status: Status,
    body?: BodyAt<Operation, Status>['body'],
    headers?: HandlerResponse['headers'],
  ) => TypedResponse<Operation>;
  readonly next: () => Promise<TypedResponse<Operation>>;
};

/** A handler of an operation, or a fixed response. A handler may return any `Response` of the Fetch Standard. */
export type TypedAnswer<Operation> =
  | TypedResponse<Operation>
  | ((
      input: TypedInput<Operation>,
    ) => TypedResponse<Operation> | Response | Promise<TypedResponse<Operation> | Response>);

/** A body, the objects in its members and in its lists: a resource may be in an envelope. */
type ObjectsIn<Body> = Body extends readonly (infer Item)[]
  ? Item
  : Body extends object
    ? Body | InMembers<Body[keyof Body]>
    : never;
type InMembers<Value> = Value extends readonly (infer Item)[] ? Item : Value extends object ? Value : never;
type Names<Objects> = Objects extends object ? keyof Objects : never;
type Values<Objects, Name extends PropertyKey> = Objects extends { readonly [Key in Name]?: infer Value }
  ? Value
  : never;
/** An object with members of any of these objects, none of them required. */
type Merged<Objects> = { readonly [Name in Names<Objects>]?: Values<Objects, Name> };

type SuccessBody<Operation> = {
  [Key in keyof Responses<Operation>]: Key extends Success
    ? ValueOf<Member<Responses<Operation>[Key], 'content'>>
    : never;
}[keyof Responses<Operation>];
type Shown<Operation> = ObjectsIn<RequestValue<Operation> | SuccessBody<Operation>>;

/** A row of data. The path of a collection or singleton declares its members, and that of its items. */
type Row<Paths, Path extends keyof Paths & string> = Merged<
  | Shown<Member<Paths[Path], 'get' | 'post' | 'put' | 'patch'>>
  | Shown<Member<Paths[keyof Paths & `${Path}/{${string}}`], 'get' | 'put' | 'patch'>>
>;
type Concrete<Path extends string> = Path extends `${infer Start}{${string}}${infer End}`
  ? `${Start}${string}${Concrete<End>}`
  : Path;
type LastPart<Path extends string> = Path extends `${string}/${infer Rest}` ? LastPart<Rest> : Path;
type CollectionPath<Paths> = Exclude<keyof Paths & string, `${string}}`>;
/** The rows of all paths with one last part: `/a/{id}/notes` also matches `/a/1/b/2/notes`. */
type RowsByLastPart<Paths> = {
  [Path in CollectionPath<Paths> as LastPart<Path>]: Row<Paths, Path>;
};
type RowAt<Paths, Path extends CollectionPath<Paths>> = Path extends `${string}{${string}`
  ? RowsByLastPart<Paths>[LastPart<Path>]
  : Row<Paths, Path>;

/** Initial resources by the concrete paths of their collections, or without a path. */
export type TypedData<Paths> =
  | {
      readonly [Path in CollectionPath<Paths> as Concrete<Path>]?:
        | RowAt<Paths, Path>
        | readonly RowAt<Paths, Path>[];
    }
  | readonly RowAt<Paths, CollectionPath<Paths>>[];

type Without<Rule, Name extends string> = Rule extends unknown ? Omit<Rule, Name> : never;

/** A fault rule of a known operation or path. */
export type TypedFaultRule<Paths, Operations> = Without<FaultRule, 'operation' | 'path'> & {
  readonly operation?: OperationName<Paths, Operations>;
  readonly path?: (keyof Paths & string) | Concrete<keyof Paths & string>;
};

/** Options of a mock whose operations, data and fault rules have types. */
export type TypedMockOptions<Paths, Operations, Options = MockOptions> = Omit<
  Options,
  'handlers' | 'data' | 'faults'
> & {
  /** Handlers, or fixed responses, by the id of their operation or by `GET /orders/{id}`. */
  readonly handlers?: {
    readonly [Name in OperationName<Paths, Operations>]?: TypedAnswer<OperationAt<Paths, Operations, Name>>;
  };
  readonly data?: TypedData<Paths> | 'none';
  readonly faults?: readonly TypedFaultRule<Paths, Operations>[];
};

/** A mock whose operations and fault rules have types. */
export type TypedMock<Paths, Operations, Made = Mock> = Omit<Made, 'answer' | 'faults'> & {
  /** Sets the handler of an operation, or a fixed response, as {@link Mock.answer} does. */
  readonly answer: <Name extends OperationName<Paths, Operations>>(
    operation: Name,
    answer: TypedAnswer<OperationAt<Paths, Operations, Name>>,
  ) => () => void;
  readonly faults: Omit<FaultRules, 'put'> & {
    put(rule: TypedFaultRule<Paths, Operations>): ActiveFaultRule;
  };
};

/** The options of a mock: those of {@link TypedMockOptions} if there are types, or else plain ones. */
export type OptionsFor<Paths, Operations, Options = MockOptions> =
  IsNever<Paths> extends true ? Options : TypedMockOptions<Paths, Operations, Options>;

/** A mock: {@link TypedMock} if there are types, or else a plain one. */
export type MockFor<Paths, Operations, Made = Mock> =
  IsNever<Paths> extends true ? Made : TypedMock<Paths, Operations, Made>;
