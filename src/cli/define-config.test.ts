import { expect, expectTypeOf, test } from 'vitest';
import { type Configuration, defineConfig } from './define-config.ts';

test('returns its argument', () => {
  const configuration = defineConfig({
    document: 'openapi.yaml',
    url: 'http://127.0.0.1:8080',
    headers: { 'X-Tenant': 'acme' },
    test: { runs: 50, reports: { junit: 'reports/junit.xml' }, strict: true },
    mock: { port: 4010, log: 'json' },
    services: { orders: { document: 'orders.yaml', test: { maxTime: 60 } } },
  });
  expect(configuration.test?.runs).toBe(50);
});

test('has the types of the options', () => {
  expectTypeOf<NonNullable<Configuration['test']>['maxTime']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<NonNullable<Configuration['mock']>['log']>().toEqualTypeOf<
    'lines' | 'json' | 'exchanges' | undefined
  >();
  expectTypeOf<Configuration['strict']>().toEqualTypeOf<boolean | undefined>();
  // @ts-expect-error -- a test has no such setting
  defineConfig({ test: { maxtime: 7 } });
  // @ts-expect-error -- one section alone has it
  defineConfig({ maxTime: 7 });
});
