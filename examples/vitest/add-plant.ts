/** A plant as the store sells it. */
export interface Plant {
  readonly id: number;
  readonly name: string;
  readonly tag?: string;
}

const url = 'https://plants.example.com/plants';

/** Adds a plant; a store that has too much to do is asked once more, when it says. */
export async function addPlant(plant: Plant, token: string): Promise<string> {
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(plant),
  };
  let response = await fetch(url, init);
  if (response.status === 429) {
    const seconds = Number(response.headers.get('retry-after'));
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    response = await fetch(url, init);
  }
  // `as`: the contract of the store says so.
  const answer = (await response.json()) as { name: string } | { message: string };
  if ('message' in answer) {
    throw new Error(`The store did not take ${plant.name}: ${answer.message}`);
  }
  return answer.name;
}
