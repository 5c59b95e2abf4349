import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { defineConfig } from 'cypress';
import { createMock } from 'cloche';

const html = new URL('../playwright/page.html', import.meta.url);

export default defineConfig({
  e2e: {
    specPattern: '*.cy.js',
    supportFile: false,
    async setupNodeEvents(on, config) {
      const mock = await createMock(undefined, { tokens: ['secret'] });
      const { url } = await mock.listen();
      const pages = createServer((_, response) => {
        response.setHeader('content-type', 'text/html').end(readFileSync(html));
      });
      await new Promise((resolve) => pages.listen(0, '127.0.0.1', resolve));
      on('task', {
        // A task must not return undefined.
        reset: () => mock.reset().then(() => null),
        putFault: (rule) => mock.faults.put(rule),
        countPlants: async () => (await mock.state.list('/plants')).total,
      });
      on('after:run', async () => {
        pages.close();
        await mock.close();
      });
      return { ...config, baseUrl: `http://127.0.0.1:${pages.address().port}`, env: { store: url } };
    },
  },
});
