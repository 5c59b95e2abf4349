import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { Exchange, HeaderList } from '../http/message.ts';
import { createCredentialHider } from './hide-credentials.ts';

const contract = contractOf({
  paths: {
    '/users': {
      post: {
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { pin: { $ref: '#/components/schemas/Pin' } } },
            },
          },
        },
        responses: { 200: { description: 'ok' } },
      },
      parameters: [{ name: 'passcode', in: 'query', schema: { type: 'string', format: 'password' } }],
    },
  },
  components: {
    schemas: { Pin: { allOf: [{ type: 'string', format: 'password' }] } },
    // No operation uses these.
    securitySchemes: {
      partner: { type: 'apiKey', in: 'header', name: 'X-Partner' },
      app: { type: 'apiKey', in: 'query', name: 'appid' },
    },
  },
});

interface Message {
  readonly target?: string;
  readonly fields?: HeaderList;
  readonly body?: string;
}

const json: HeaderList = [['Content-Type', 'application/json']];
const form: HeaderList = [['Content-Type', 'application/x-www-form-urlencoded']];
const multipart: HeaderList = [['Content-Type', 'multipart/form-data; boundary=b']];

/** A message with a secret at each position that may hold one. */
const positions: Readonly<Record<string, (secret: string) => Message>> = {
  'a bearer token': (secret) => ({ fields: [['Authorization', `Bearer ${secret}`]] }),
  'a password of Basic': (secret) => ({
    fields: [['Authorization', `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}`]],
  }),
  'a cookie': (secret) => ({ fields: [['Cookie', `theme=dark; sid=${secret}`]] }),
  'a cookie that is set': (secret) => ({ fields: [['Set-Cookie', `sid=${secret}; HttpOnly`]] }),
  'a key in a field': (secret) => ({ fields: [['X-Api-Key', secret]] }),
  'a security token of a cloud': (secret) => ({ fields: [['X-Amz-Security-Token', secret]] }),
  'a declared key that no operation uses': (secret) => ({ fields: [['X-Partner', secret]] }),
  'a declared key of the query': (secret) => ({ target: `/users?appid=${secret}&a=1` }),
  'a parameter with the format password': (secret) => ({ target: `/users?passcode=${secret}` }),
  'a password in the query': (secret) => ({ target: `/users?password=${secret}` }),
  'a client secret in the query': (secret) => ({ target: `/users?client_secret=${secret}` }),
  'a signature of a URL': (secret) => ({ target: `/users?X-Amz-Date=20260101&X-Amz-Signature=${secret}` }),
  'a code beside a state': (secret) => ({ target: `/users?code=${secret}&state=a` }),
  'a short signature': (secret) => ({ target: `/users?sv=1&sig=${secret}` }),
  'a token in a redirect': (secret) => ({
    fields: [['Location', `https://app.example/#access_token=${secret}&state=a`]],
  }),
  'a code in a referer': (secret) => ({
    fields: [['Referer', `https://app.example/?code=${secret}&state=a`]],
  }),
  'a password in JSON': (secret) => ({ fields: json, body: JSON.stringify({ user: { password: secret } }) }),
  'tokens in JSON': (secret) => ({
    fields: json,
    body: JSON.stringify([{ access_token: secret, refresh_token: secret, token_type: 'bearer' }]),
  }),
  'a property with the format password': (secret) => ({
    fields: json,
    body: JSON.stringify({ pin: secret }),
  }),
  'a password in JSON that breaks off': (secret) => ({
    fields: json,
    body: JSON.stringify({ password: secret }).slice(0, -2),
  }),
  'a password in a form': (secret) => ({ fields: form, body: `user=ada&password=${secret}` }),
  'a code in a form': (secret) => ({ fields: form, body: `grant_type=authorization_code&code=${secret}` }),
  'a password in a multipart form': (secret) => ({
    fields: multipart,
    body: `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${secret}\r\n--b--\r\n`,
  }),
};

function bytes(text = ''): Uint8Array {
  return new TextEncoder().encode(text);
}

/** What a report can show of an exchange. */
function show({ request, answer }: Exchange): string {
  const text = (content: Uint8Array | undefined): string => new TextDecoder().decode(content);
  const came = answer.kind === 'response' ? [answer.response.headers, text(answer.response.body)] : [];
  return JSON.stringify([request.target, request.headers, text(request.body), ...came]);
}

function exchangeOf(sent: Message, came: Message): Exchange {
  return {
    request: {
      method: 'POST',
      target: sent.target ?? '/users',
      headers: sent.fields ?? [],
      body: sent.body === undefined ? undefined : bytes(sent.body),
    },
    answer: {
      kind: 'response',
      response: { status: 200, headers: came.fields ?? [], body: bytes(came.body) },
    },
    durationMs: 1,
  };
}

/** Has a digit, so that it is no plain word, and needs no encoding, so that one search finds it. */
const secret = fc.stringMatching(/^[A-Za-z]{4,20}[0-9][A-Za-z]{4,20}$/u);

test.each(Object.entries(positions))('hides %s in requests and responses', (_, write) => {
  fc.assert(
    fc.property(secret, secret, (sent, came) => {
      const hide = createCredentialHider(contract);
      const shown = show(hide.exchange(exchangeOf(write(sent), write(came))));
      expect([sent, came].filter((each) => shown.includes(each))).toEqual([]);
      expect(shown).toContain('[secret]');
    }),
    { numRuns: 20 },
  );
});

test.each(Object.entries(positions))('hides %s in responses to a run, and keeps requests', (_, write) => {
  fc.assert(
    fc.property(secret, secret, (sent, came) => {
      const hide = createCredentialHider(contract, { isOfRun: true });
      const exchange = exchangeOf(write(sent), write(came));
      const hidden = hide.exchange(exchange);
      expect(hidden.request).toBe(exchange.request);
      // A target is a part of requests alone.
      expect(
        show({ ...hidden, request: { ...hidden.request, target: '', headers: [], body: undefined } }),
      ).not.toContain(came);
    }),
    { numRuns: 20 },
  );
});

test('takes no value that a run generated for a secret of the service', () => {
  const hide = createCredentialHider(contract, { isOfRun: true });
  const body = '{"password":"k7Zq2LmX"}';
  const echoed = hide.exchange(exchangeOf({ fields: json, body }, { fields: json, body }));
  expect(show(echoed)).not.toContain('[secret]');
  const read = hide.exchange(
    exchangeOf({}, { fields: json, body: '{"password":"k7Zq2LmX","token":"t0k3n-of-ada"}' }),
  );
  expect(show(read)).toContain(String.raw`{\"password\":\"k7Zq2LmX\",\"token\":\"[secret]\"}`);
});

test('hides a plain word only in its own place', () => {
  const hide = createCredentialHider(contract);
  const body = '{"password":"string","name":"string"}';
  expect(show(hide.exchange(exchangeOf({ fields: json, body }, {})))).toContain(
    String.raw`{\"password\":\"[secret]\",\"name\":\"string\"}`,
  );
});
