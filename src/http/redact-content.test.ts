import { expect, test } from 'vitest';
import { isSecretName } from './redact.ts';
import { redactContent, redactUrls } from './redact-content.ts';

const rules = { isSecret: isSecretName, replace: () => '[secret]' };

function redact(text: string, contentType: string | undefined = 'application/json'): string {
  return new TextDecoder().decode(redactContent(new TextEncoder().encode(text), contentType, rules));
}

test('hides the secrets of a JSON text, and keeps all else as it was written', () => {
  expect(redact('{ "user" : "ada",\n  "password":"hunter2", "a":[{"access_token" : "abc", "n":1e3}] }')).toBe(
    '{ "user" : "ada",\n  "password":"[secret]", "a":[{"access_token" : "[secret]", "n":1e3}] }',
  );
  expect(redact('{"pass\\u0077ord":"a\\"b","refreshToken":12345,"secret":["a","b",{"x":"y"}]}')).toBe(
    '{"pass\\u0077ord":"[secret]","refreshToken":"[secret]","secret":["[secret]","[secret]",{"x":"y"}]}',
  );
  expect(redact('{"token":null,"password":"","secret":true}')).toBe(
    '{"token":null,"password":"","secret":true}',
  );
});

test('hides the secrets under a long name, and in a member that another replaces', () => {
  const name = `${'x'.repeat(200)}Token`;
  expect(redact(`{"${name}":"abc"}`)).toBe(`{"${name}":"[secret]"}`);
  expect(redact('{"a":{"token":"abc"},"a":1}')).toBe('{"a":{"token":"[secret]"},"a":1}');
});

test('hides the secrets of a text that breaks off or is no JSON', () => {
  expect(redact('{"password":"hunt')).toBe('{"password":"[secret]"');
  expect(redact('{"password":"hunter2","a"')).toBe('{"password":"[secret]","a"');
  expect(redact('{password:hunter2,}')).toBe('{password:"[secret]",}');
  expect(redact('[]]}{"token":"abc"}')).toBe('[]]}{"token":"[secret]"}');
  expect(redact('{"password" ["hunter2"]')).toBe('{"password" ["[secret]"]');
});

test('reads lines of JSON, and JSON without a media type', () => {
  expect(redact('{"id":1}\n{"token":"abc"}\n', 'application/x-ndjson')).toBe(
    '{"id":1}\n{"token":"[secret]"}\n',
  );
  expect(redact(' [{"token":"abc"}]', undefined)).toBe(' [{"token":"[secret]"}]');
  expect(redact('token: abc', 'text/plain')).toBe('token: abc');
});

test('hides the secrets of a form', () => {
  const type = 'application/x-www-form-urlencoded';
  expect(redact('grant_type=authorization_code&code=abc&client_secret=s%26x&redirect_uri=a', type)).toBe(
    'grant_type=authorization_code&code=[secret]&client_secret=[secret]&redirect_uri=a',
  );
  expect(redact('code=CH&user%5Bpassword%5D=hunter2', type)).toBe('code=CH&user%5Bpassword%5D=[secret]');
});

test('hides the secrets of a multipart form', () => {
  const form = (password: string): string =>
    [
      '--b',
      'Content-Disposition: form-data; name="user"\r\n\r\nada',
      `--b\r\nContent-Disposition: form-data; name="password"\r\nContent-Type: text/plain\r\n\r\n${password}`,
      '--b--\r\n',
    ].join('\r\n');
  expect(redact(form('hunter2\r\nof two lines'), 'multipart/form-data; boundary=b')).toBe(form('[secret]'));
});

test('keeps bytes that are no UTF-8', () => {
  const before = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x2c]);
  const content = Buffer.concat([before, Buffer.from('"token":"abc"}')]);
  const shown = redactContent(content, 'application/json', rules);
  expect(Buffer.from(shown)).toEqual(Buffer.concat([before, Buffer.from('"token":"[secret]"}')]));
});

test('hides the secrets in the query and the fragment of a URL', () => {
  expect(redactUrls('https://a.example/cb?code=abc&state=xyz', rules)).toBe(
    'https://a.example/cb?code=[secret]&state=xyz',
  );
  expect(redactUrls('https://a.example/cb#access_token=abc&expires_in=60', rules)).toBe(
    'https://a.example/cb#access_token=[secret]&expires_in=60',
  );
  expect(redactUrls('</a?token=abc>; rel="next", </b?page=2>; rel="prev"', rules)).toBe(
    '</a?token=[secret]>; rel="next", </b?page=2>; rel="prev"',
  );
});

test('reads a long content in time that grows with its length', () => {
  const items = Array.from({ length: 200_000 }, (_, index) => `{"id":${index},"token":"t${index}"}`);
  expect(redact(`[${items.join(',')}]`)).not.toMatch(/"t\d/u);
  expect(redact('['.repeat(300_000))).toHaveLength(300_000);
});
