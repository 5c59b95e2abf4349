import { expect, test } from 'vitest';
import { acceptsMedia, chooseAccepted } from './body.ts';

test.each([
  ['*/*', true],
  ['application/json', true],
  ['APPLICATION/JSON', true],
  ['text/html, application/*;q=0.1', true],
  ['application/json;version=1', true],
  ['text/html', false],
  ['text/html, */*;q=0', false],
  ['application/json;q=0, */*', false],
  ['application/json;q=0.5, */*;q=0', true],
  ['', true],
  ['garbage', false],
])('reads %j as %j for application/json', (accept, allowed) => {
  expect(acceptsMedia(accept, 'application/json')).toBe(allowed);
});

test.each([
  ['application/json;version=2', true],
  ['application/json;version=1', false],
  ['application/json;version=1;q=0.1, */*;q=0.5', true],
  ['application/json;version=2;q=0, application/json', false],
  ['application/json;charset=utf-8', true],
  ['application/json', true],
])('reads %j as %j for application/json;version=2', (accept, allowed) => {
  expect(acceptsMedia(accept, 'application/json;version=2')).toBe(allowed);
});

test.each([
  ['application/json;version=2', 1],
  ['application/json;version=1', 0],
  ['application/json', 0],
  ['application/json;version=3', 0],
  ['application/json;version=1;q=0.2, application/json;version=2;q=0.3', 1],
])('chooses by %j the version %j', (accept, index) => {
  expect(chooseAccepted(accept, ['application/json;version=1', 'application/json;version=2'])).toBe(index);
});
