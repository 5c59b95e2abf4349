// A service with OAuth 2, a CSRF token, two tenants, unique emails, and an operation that deletes everything.
// PIPELINE_FAULT=patch-loses-total switches on a fault: an update of an order without a total sets the total to zero.
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import express from 'express';
import { parse } from 'yaml';

const {
  PORT: port = '8080',
  PIPELINE_SECRET: clientSecret = '',
  PIPELINE_CSRF: csrfToken = '',
  PIPELINE_FAULT: fault,
} = process.env;
const tokenSeconds = 5;

/** Refuses a request with a status and a reason. */
class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const equals = (left, right) =>
  left.length === right.length && left !== '' && timingSafeEqual(Buffer.from(left), Buffer.from(right));

// Bodies are validated by the schemas of the document. Properties that it does not declare are removed.
const { components } = parse(readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ removeAdditional: 'all', strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'document', components });
// A byte order mark is no JSON.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the JSON body of a request that fits a schema of the document. */
function readBody(request, schema, mediaType = 'application/json') {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== mediaType) throw new Refusal(400, `The body must be ${mediaType}.`);
  let body;
  try {
    body = JSON.parse(utf8.decode(request.body));
  } catch {
    throw new Refusal(400, 'The body must be JSON in UTF-8.');
  }
  const validate = ajv.getSchema(`document#/components/schemas/${schema}`);
  if (!validate(body)) throw new Refusal(400, ajv.errorsText(validate.errors, { dataVar: 'body' }));
  return body;
}

/** Returns the integer that a parameter is. */
function readInteger(text, name, { least, most }) {
  const value = typeof text === 'string' && /^\d{1,16}$/u.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Refusal(400, `${name} must be an integer from ${least} to ${most}.`);
}
const readId = (text, name) => readInteger(text, name, { least: 1, most: Number.MAX_SAFE_INTEGER });

const products = new Map([
  ['TE-100', { sku: 'TE-100', name: 'Tea' }],
  ['CO-200', { sku: 'CO-200', name: 'Coffee' }],
]);
const tenants = new Map(
  ['acme', 'globex'].map((id) => [
    id,
    { id, name: `The ${id} company`, customers: new Map(), orders: new Map(), invoices: new Map() },
  ]),
);
let lastId = 0;

/** Returns an item by a path parameter, or refuses the request. */
function find(items, request, name) {
  const item = items.get(readId(request.params[name], name));
  if (item === undefined) throw new Refusal(404, `There is no such ${name}.`);
  return item;
}

function add(items, properties, response) {
  lastId += 1;
  const item = { id: lastId, ...properties };
  items.set(item.id, item);
  response.status(201).location(`${response.req.path}/${item.id}`).json(item);
}

/** Sends a page of the items that pass a filter. */
function sendPage(response, items, isShown = () => true) {
  const { limit = '20', offset = '0' } = response.req.query;
  const size = readInteger(limit, 'limit', { least: 1, most: 50 });
  const start = readInteger(offset, 'offset', { least: 0, most: 1_000_000 });
  const shown = [...items.values()].filter(isShown);
  response.json({ items: shown.slice(start, start + size), total: shown.length });
}

function remove(items, item, response) {
  items.delete(item.id);
  response.status(204).end();
}

const app = express();
app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
app.use(express.raw({ type: () => true, limit: '1mb' }));

// Clients encode both parts of their basic authentication as in forms (RFC 6749 §2.3.1).
const decodeForm = (text) => new URLSearchParams(`text=${text}`).get('text');

// Access tokens (RFC 6749 §4.4), by the time at which they expire.
const tokens = new Map();
app.post('/oauth/token', (request, response) => {
  const [, encoded = ''] = /^basic +(\S+)$/iu.exec(request.headers.authorization ?? '') ?? [];
  const form = new URLSearchParams(String(request.body ?? ''));
  const [id, secret] = Buffer.from(encoded, 'base64').toString().split(':').map(decodeForm);
  if (id !== 'ci' || !equals(secret ?? '', clientSecret)) {
    response.set('www-authenticate', 'Basic').status(401).json({ error: 'invalid_client' });
  } else if (form.get('grant_type') !== 'client_credentials') {
    response.status(400).json({ error: 'unsupported_grant_type' });
  } else if ((form.get('scope') ?? 'wholesale') !== 'wholesale') {
    response.status(400).json({ error: 'invalid_scope' });
  } else {
    const token = `whs_${randomUUID()}`;
    tokens.set(token, Date.now() + tokenSeconds * 1_000);
    response.set('cache-control', 'no-store');
    response.json({ access_token: token, token_type: 'Bearer', expires_in: tokenSeconds });
  }
});

app.use((request, _response, next) => {
  const [, token] = /^bearer +(\S+)$/iu.exec(request.headers.authorization ?? '') ?? [];
  if ((tokens.get(token) ?? 0) < Date.now())
    throw new Refusal(401, 'The access token is unknown or expired.');
  const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  if (isWrite && !equals(request.get('x-csrf-token') ?? '', csrfToken)) {
    throw new Refusal(403, 'X-CSRF-Token is missing or wrong.');
  }
  next();
});

const showTenant = ({ id, name }) => ({ id, name });
app.param('tenantId', (request, response, next, id) => {
  if (!/^[a-z]{1,20}$/u.test(id)) throw new Refusal(400, 'The tenant must be a short word.');
  response.locals.tenant = tenants.get(id);
  if (response.locals.tenant === undefined) throw new Refusal(404, 'There is no such tenant.');
  next();
});

app.get('/tenants', (_request, response) => response.json([...tenants.values()].map(showTenant)));
app.get('/tenants/:tenantId', (_request, response) => response.json(showTenant(response.locals.tenant)));
app.get('/products', (_request, response) => response.json([...products.values()]));
app.get('/products/:sku', ({ params: { sku } }, response) => {
  if (!/^[A-Z]{2}-\d{3}$/u.test(sku)) throw new Refusal(400, 'The SKU must be as in TE-100.');
  if (!products.has(sku)) throw new Refusal(404, 'There is no such product.');
  response.json(products.get(sku));
});

/** Refuses an email that another customer of the tenant has. */
function checkEmail({ customers }, { email }, own) {
  const isTaken = [...customers.values()].some(
    (each) => each.id !== own && each.email.toLowerCase() === email.toLowerCase(),
  );
  if (isTaken) throw new Refusal(409, 'Another customer has this email.');
}

const customers = app.route('/tenants/:tenantId/customers');
customers.post((request, response) => {
  const { tenant } = response.locals;
  const body = readBody(request, 'NewCustomer');
  checkEmail(tenant, body);
  add(tenant.customers, body, response);
});
const isEmail = ajv.compile(components.schemas.NewCustomer.properties.email);
customers.get(({ query: { email } }, response) => {
  if (email !== undefined && !isEmail(email)) throw new Refusal(400, 'email must be an email address.');
  const isShown = (each) => email === undefined || each.email === email;
  sendPage(response, response.locals.tenant.customers, isShown);
});

const customer = app.route('/tenants/:tenantId/customers/:customerId');
customer.get((request, response) => {
  response.json(find(response.locals.tenant.customers, request, 'customerId'));
});
customer.put((request, response) => {
  const { tenant } = response.locals;
  const { id } = find(tenant.customers, request, 'customerId');
  const body = readBody(request, 'NewCustomer');
  checkEmail(tenant, body, id);
  const changed = { id, ...body };
  tenant.customers.set(id, changed);
  response.json(changed);
});
customer.delete((request, response) => {
  const { tenant } = response.locals;
  const found = find(tenant.customers, request, 'customerId');
  if ([...tenant.orders.values()].some(({ customerId }) => customerId === found.id)) {
    throw new Refusal(409, 'The customer has orders.');
  }
  remove(tenant.customers, found, response);
});

const orders = app.route('/tenants/:tenantId/orders');
orders.post((request, response) => {
  const { tenant } = response.locals;
  const body = readBody(request, 'NewOrder');
  if (!tenant.customers.has(body.customerId)) throw new Refusal(422, 'There is no such customer.');
  if (!body.lines.every(({ sku }) => products.has(sku))) throw new Refusal(422, 'There is no such product.');
  add(tenant.orders, { ...body, status: 'open' }, response);
});
orders.get(({ query }, response) => {
  const { customerId, status } = query;
  const owner = customerId === undefined ? undefined : readId(customerId, 'customerId');
  if (![undefined, 'open', 'cancelled'].includes(status)) {
    throw new Refusal(400, 'status must be open or cancelled.');
  }
  sendPage(
    response,
    response.locals.tenant.orders,
    (each) =>
      (owner === undefined || each.customerId === owner) && (status === undefined || each.status === status),
  );
});

const order = app.route('/tenants/:tenantId/orders/:orderId');
order.get((request, response) => {
  response.json(find(response.locals.tenant.orders, request, 'orderId'));
});
order.patch((request, response) => {
  const found = find(response.locals.tenant.orders, request, 'orderId');
  const { note = found.note, ...changes } = readBody(request, 'OrderChange', 'application/merge-patch+json');
  const { note: _old, ...rest } = found;
  const changed = { ...rest, ...changes, ...(typeof note === 'string' ? { note } : {}) };
  if (fault === 'patch-loses-total' && changes.total === undefined) changed.total = 0;
  response.locals.tenant.orders.set(found.id, changed);
  response.json(changed);
});
order.delete((request, response) => {
  const { tenant } = response.locals;
  const found = find(tenant.orders, request, 'orderId');
  if ([...tenant.invoices.values()].some(({ orderId }) => orderId === found.id)) {
    throw new Refusal(409, 'The order has invoices.');
  }
  remove(tenant.orders, found, response);
});
app.post('/tenants/:tenantId/orders/:orderId/cancel', (request, response) => {
  const found = find(response.locals.tenant.orders, request, 'orderId');
  found.status = 'cancelled';
  response.json(found);
});

const invoices = app.route('/tenants/:tenantId/invoices');
invoices.post((request, response) => {
  const { tenant } = response.locals;
  const body = readBody(request, 'NewInvoice');
  const found = tenant.orders.get(body.orderId);
  if (found === undefined) throw new Refusal(422, 'There is no such order.');
  add(tenant.invoices, { ...body, total: found.total }, response);
});
invoices.get((_request, response) => sendPage(response, response.locals.tenant.invoices));

const invoice = app.route('/tenants/:tenantId/invoices/:invoiceId');
invoice.get((request, response) => {
  response.json(find(response.locals.tenant.invoices, request, 'invoiceId'));
});
invoice.delete((request, response) => {
  const { tenant } = response.locals;
  remove(tenant.invoices, find(tenant.invoices, request, 'invoiceId'), response);
});

app.post('/admin/purge', (_request, response) => {
  console.log('purged everything');
  for (const tenant of tenants.values()) {
    for (const items of [tenant.invoices, tenant.orders, tenant.customers]) items.clear();
  }
  response.status(204).end();
});

app.use(() => {
  throw new Refusal(404, 'There is nothing at this path.');
});
// Express tells an error handler by its four parameters.
app.use((error, _request, response, _next) => {
  const status = error.status ?? 500;
  if (status === 500) console.error(error);
  if (status === 401) response.set('www-authenticate', 'Bearer');
  response
    .status(status)
    .type('application/problem+json')
    .send(JSON.stringify({ title: error.message }));
});

const server = app.listen(Number(port), '127.0.0.1', () => {
  console.log(`listening on port ${server.address().port}`);
});
process.once('SIGTERM', () => server.close());
