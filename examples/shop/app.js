const service = new URLSearchParams(location.search).get('service') ?? sessionStorage.getItem('service');
sessionStorage.setItem('service', service);
const find = (selector) => document.querySelector(selector);
const here = location.origin + location.pathname;

/** Returns random text in base64url, for the verifier and the state of a login (RFC 7636 §4.1). */
function toText(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}

async function login() {
  const verifier = toText(crypto.getRandomValues(new Uint8Array(32)));
  const state = toText(crypto.getRandomValues(new Uint8Array(16)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  sessionStorage.setItem('login', JSON.stringify({ verifier, state }));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'shop-page',
    redirect_uri: here,
    scope: 'shop',
    state,
    code_challenge: toText(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  });
  location.assign(`${service}/oauth/authorize?${query}`);
}

/** Exchanges the code that a login returned for a token. */
async function finishLogin() {
  const query = new URLSearchParams(location.search);
  const { verifier, state } = JSON.parse(sessionStorage.getItem('login') ?? '{}');
  if (!query.has('code') || query.get('state') !== state) return;
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: query.get('code'),
    redirect_uri: here,
    client_id: 'shop-page',
    code_verifier: verifier,
  });
  const response = await fetch(`${service}/oauth/token`, { method: 'POST', body });
  sessionStorage.setItem('token', (await response.json()).access_token);
  sessionStorage.removeItem('login');
  history.replaceState(null, '', here);
}

async function ask(method, path, body, type = 'application/json') {
  const token = sessionStorage.getItem('token');
  const response = await fetch(service + path, {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': type }) },
    body: type === 'application/json' && body ? JSON.stringify(body) : body,
  });
  const text = response.headers.get('content-type')?.includes('json') ? await response.text() : '';
  const value = text === '' ? undefined : JSON.parse(text);
  find('[role=alert]').textContent = response.ok
    ? ''
    : (value?.detail ?? `The shop answered ${response.status}.`);
  return response.ok ? (value ?? {}) : undefined;
}

async function showTotal() {
  const answer = sessionStorage.getItem('token') ? await ask('GET', '/cart/total') : undefined;
  find('#total').textContent = (answer?.total ?? 0).toFixed(2);
}

async function show(id) {
  const product = await ask('GET', `/products/${id}`);
  if (product === undefined) return;
  find('#detail h2').textContent = `${product.name}, ${product.price.toFixed(2)}`;
  find('#detail').hidden = false;
  find('#detail img').src = `${service}/products/${id}/photo?${Date.now()}`;
  find('#detail').dataset.product = id;
}

async function add(productId) {
  await ask('POST', '/cart/items', { productId, count: 1 });
  await showTotal();
}

function toRow({ id, name, price }) {
  const row = document.createElement('li');
  row.innerHTML = '<span></span><button>Details</button><button>Add</button>';
  const [text, details, buy] = row.children;
  text.textContent = `${name}, ${price.toFixed(2)}`;
  details.addEventListener('click', () => void show(id));
  buy.addEventListener('click', () => void add(id));
  return row;
}

const say = (text) =>
  find('#status').append(Object.assign(document.createElement('li'), { textContent: text }));

function follow(order) {
  const events = new EventSource(`${service}/orders/${order}/events`);
  events.addEventListener('status', ({ data }) => {
    say(data);
    if (data === 'shipped') events.close();
  });
}

find('#login').addEventListener('click', login);
find('#detail input').addEventListener('change', async ({ target }) => {
  const { product } = find('#detail').dataset;
  await ask('PUT', `/products/${product}/photo`, target.files[0], 'image/png');
  await show(product);
});
find('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const order = await ask('POST', '/orders', Object.fromEntries(new FormData(event.target)));
  if (order !== undefined) follow(order.id);
});
await finishLogin();
if (sessionStorage.getItem('token')) find('#user').textContent = 'You are logged in.';
find('ul').replaceChildren(...((await ask('GET', '/products')) ?? []).map(toRow));
await showTotal();
// The server of the page receives the webhook of the shop, and passes it on.
new EventSource('notices').addEventListener('message', ({ data }) =>
  say(`parcel ${JSON.parse(data).parcel}`),
);

export {};
