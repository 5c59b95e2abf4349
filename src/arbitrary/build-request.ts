import type { Operation } from '../contract/operation.ts';
import type { HeaderList } from '../http/header-list.ts';
import type { Framing } from '../http/send.ts';
import type { Body } from './body.ts';
import type { CredentialCase } from './credential-case.ts';
import { encodePathTemplate } from './encode-path-template.ts';
import { joinParts } from './join-parts.ts';
import type { ParameterTexts } from './parameter-texts.ts';
import { plainRequest } from './plain-request.ts';
import { plainTokens } from './plain-tokens.ts';
import type { RequestCase } from './request-case.ts';
import { serializeParameter } from './serialize-parameter.ts';

/** What of a request is not plain. */
export interface RequestOverrides {
  /** @defaultValue a plain body without optional properties, where the operation takes one */
  readonly body?: Body | undefined;
  /**
   * Undefined sends none.
   *
   * @defaultValue the declared media type, where there is a body
   */
  readonly contentType?: string | undefined;
  /** Header fields besides those of parameters. */
  readonly headers?: HeaderList;
  /** @defaultValue good */
  readonly credentials?: CredentialCase;
  /** @defaultValue 'content-length' */
  readonly framing?: Framing;
  /** Undefined leaves a parameter out; those that are not named are plain, or left out where they may be. */
  readonly parameters?: ParameterTexts;
}

function parameterTexts(operation: Operation, overrides: ParameterTexts | undefined): ParameterTexts {
  const plain = plainRequest(operation).parameters.flatMap(({ parameter, values }) =>
    parameter.required ? [[parameter, serializeParameter(parameter, values.smallest)] as const] : [],
  );
  return new Map([...plain, ...(overrides ?? [])]);
}

/**
 * Makes a request to an operation: a plain one, but for what is overridden.
 *
 * @example
 * buildRequest(operation, { body: ['null'] });
 */
export function buildRequest(operation: Operation, overrides: RequestOverrides = {}): RequestCase {
  const { body: plain } = plainRequest(operation);
  const plainParts =
    plain.kind === 'body' ? joinParts(plainTokens(plain.body, plain.body.smallest)) : undefined;
  const body = 'body' in overrides ? overrides.body : plainParts;
  const declaredType = body !== undefined && plain.kind === 'body' ? plain.body.contentType : undefined;
  const contentType = 'contentType' in overrides ? overrides.contentType : declaredType;
  let path = encodePathTemplate(operation.path.template);
  const query: string[] = [];
  const headers: (readonly [string, string])[] =
    contentType === undefined ? [] : [['Content-Type', contentType]];
  for (const [parameter, text] of parameterTexts(operation, overrides.parameters)) {
    if (text === undefined) {
      continue;
    }
    if (parameter.in === 'path') {
      path = path.replaceAll(`{${parameter.name}}`, () => text);
    } else if (parameter.in === 'query') {
      query.push(...(text === '' ? [] : [text]));
    } else {
      headers.push([parameter.in === 'cookie' ? 'Cookie' : parameter.name, text]);
    }
  }
  return {
    operationId: operation.id,
    method: operation.method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: [...headers, ...(overrides.headers ?? [])],
    credentials: overrides.credentials ?? { kind: 'good' },
    body,
    framing: overrides.framing ?? 'content-length',
  };
}
