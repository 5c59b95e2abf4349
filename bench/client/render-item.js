/** One of the items that the servers hold, of ids from 1 on. */
export function makeItem(/** @type {number} */ id) {
  return { id, name: `Monstera ${id}`, tag: 'house' };
}

/** @typedef {'create' | 'read' | 'replace' | 'page'} ItemRequest - What is asked of a collection of items. */

/**
 * Prepares the bytes of requests to random items of a collection.
 * @param {ItemRequest} kind - creates have ids from 1 on; a page has 50 items
 * @param {number} port
 * @param {number} items - how many there are
 * @returns {() => string}
 */
export function renderItem(kind, port, items) {
  const fields = `Host: 127.0.0.1:${port}\r\n`;
  const random = (/** @type {number} */ most) => 1 + Math.floor(Math.random() * most);
  if (kind === 'read') return () => `GET /items/${random(items)} HTTP/1.1\r\n${fields}\r\n`;
  if (kind === 'page')
    return () => `GET /items?limit=50&offset=${random(items - 50)} HTTP/1.1\r\n${fields}\r\n`;
  let created = 0;
  const isCreate = kind === 'create';
  return () => {
    const id = isCreate ? (created += 1) : random(items);
    const body = JSON.stringify(makeItem(id));
    const line = isCreate ? 'POST /items' : `PUT /items/${id}`;
    return `${line} HTTP/1.1\r\n${fields}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
}
