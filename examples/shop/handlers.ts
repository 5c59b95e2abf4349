import type { Handlers } from 'cloche';

interface Product {
  readonly price: number;
}

/** The document cannot say that the total is the sum of the prices in the cart. */
// oxlint-disable-next-line import/no-default-export -- --handlers reads the default export
export default {
  async getTotal({ request, state, respond }) {
    const { resources } = await state.list('/cart/items');
    let total = 0;
    for (const { value } of resources) {
      // Products may come from the mock or, with --fallback, from the real service.
      const response = await fetch(new URL(`/products/${Number(value['productId'])}`, request.url));
      const { price } = (await response.json()) as Product;
      total += price * Number(value['count']);
    }
    return respond(200, { total });
  },
} satisfies Handlers;
