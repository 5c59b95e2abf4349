import { expect, test } from 'vitest';
import { listConfigurationProblems } from '../../src/config/check-configuration.ts';
import { listSections } from '../../src/cli/commands/sections.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { compileSchema } from '../../src/schema/compile.ts';
import { createConfigurationSchema } from './configuration-schema.ts';

const file = new URL('../../spec/config.schema.json', import.meta.url).pathname;
const schema = createConfigurationSchema();
const fits = compileSchema({ schema, pointer: '' }).validator({ formats: 'assert', integers: 'digits' });

// `npx vitest run scripts/docs/configuration-schema -u` writes it again.
test('the published schema derives from the table of options', async () => {
  await expect(`${JSON.stringify(schema, undefined, 2)}\n`).toMatchFileSnapshot(file);
});

test.each<[string, JsonObject]>([
  ['a document and a URL', { document: 'openapi.yaml', url: 'http://127.0.0.1:8080' }],
  ['pairs', { headers: { 'X-Tenant': 'acme' }, answers: { 'duplicate-key': 'conflict' } }],
  ['sections', { test: { runs: 5, strict: true, suites: ['smoke'] }, mock: { port: 0, log: 'json' } }],
  ['variables', { test: { runs: '${RUNS}' }, insecure: '${INSECURE:-false}' }],
  ['the prefix of a service', { services: { orders: { document: 'orders.yaml', prefix: '/orders' } } }],
  ['services', { services: { orders: { document: 'orders.yaml', test: { maxTime: 60 } } } }],
])('accepts %s as the commands do', (_name, value) => {
  expect(listConfigurationProblems(value, listSections())).toEqual([]);
  expect(fits(value, false)).toEqual([]);
});

test.each<[string, JsonObject]>([
  ['an unknown key', { documents: 'openapi.yaml' }],
  ['a setting of one section at the top', { maxTime: 60 }],
  ['a text for a number', { test: { runs: 'five' } }],
  ['an unknown choice', { mock: { log: 'xml' } }],
  ['a number for a section', { test: 7 }],
  ['a list of services', { services: ['orders'] }],
  ['a prefix that is no path', { services: { orders: { document: 'orders.yaml', prefix: 'orders' } } }],
  ['an unknown key of a service', { services: { orders: { uri: 'http://127.0.0.1' } } }],
])('refuses %s as the commands do', (_name, value) => {
  expect(listConfigurationProblems(value, listSections()).length).toBeGreaterThan(0);
  expect(fits(value, false).length).toBeGreaterThan(0);
});
