/**
 * Sends a delivery of plants to a store, one after another.
 *
 * @param {{ id: number, name: string, tag?: string }[]} delivery
 * @param {{ url: string, token: string }} store
 * @returns {Promise<{ taken: string[], refused: string[] }>} the names of the plants
 */
export async function stockUp(delivery, { url, token }) {
  const taken = [];
  const refused = [];
  for (const plant of delivery) {
    const response = await fetch(`${url}/plants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(plant),
      signal: AbortSignal.timeout(5_000),
    }).catch(() => undefined);
    (response?.ok === true ? taken : refused).push(plant.name);
  }
  return { taken, refused };
}
