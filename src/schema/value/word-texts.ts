import { base, en } from '@faker-js/faker';
import { dateTimeForms } from './text.ts';

/** Makes reproducible choices among values by a seed. */
export interface Draw {
  readonly pick: <T>(values: readonly T[]) => T;
  /** Returns a whole number, both ends included. */
  readonly integer: (from: number, to: number) => number;
  readonly digits: (count: number) => string;
}

/** The context of a generated text. */
export interface TextPlace {
  /** The words of its name, in lower case, separated by spaces: `customer name`. */
  readonly words: string;
  /** The words of the names that contain it, the outermost first. */
  readonly around: string;
  readonly draw: Draw;
  /** Makes the choices that texts of one object share: a person has one name. */
  readonly shared: Draw;
  /** Returns a time `days` days after now, or before it if negative, as an RFC 3339 date-time. */
  readonly timeAfter: (days: number) => string;
}

/** Generates texts for a place, the most likely first. Those that its schema rejects are skipped. */
type Make = (place: TextPlace) => readonly string[];

type Words = readonly string[];

/** The English word lists in use. */
interface EnglishLists {
  readonly color: { readonly human: Words };
  readonly commerce: {
    readonly department: Words;
    readonly product_name: Record<'adjective' | 'material' | 'product', Words>;
  };
  readonly company: Record<
    'adjective' | 'buzz_adjective' | 'buzz_noun' | 'buzz_verb' | 'legal_entity_type' | 'noun',
    Words
  >;
  readonly location: Record<
    'city_name' | 'country' | 'county' | 'state' | 'state_abbr' | 'street_suffix',
    Words
  >;
  readonly person: Record<'first_name' | 'last_name', { readonly generic: Words }> &
    Record<'job_area' | 'job_descriptor' | 'job_type' | 'sex', Words>;
}

// `as`: the types allow any list of a language to be missing; English has all of these.
const { color: colors, commerce, company, location, person } = en as unknown as EnglishLists;
const countryCodes = (base.location?.country_code ?? []).map(({ alpha2 }) => alpha2);
const timeZones = base.location?.time_zone ?? [];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const toSlug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/gu, '-')
    .replaceAll(/^-|-$/gu, '');

const firstName: Make = ({ shared }) => [shared.pick(person.first_name.generic)];
const lastName: Make = ({ shared }) => {
  // The first name is drawn first, like in all texts of the object.
  shared.pick(person.first_name.generic);
  return [shared.pick(person.last_name.generic)];
};
const fullName: Make = ({ shared }) => {
  const first = shared.pick(person.first_name.generic);
  return [`${first} ${shared.pick(person.last_name.generic)}`, first];
};
/** Returns the account part of an e-mail address: `mary.o-keefe`. */
const account = (place: TextPlace): string => (fullName(place)[0] ?? '').split(' ').map(toSlug).join('.');
const email: Make = (place) => [`${account(place)}@example.com`, 'me@example.com'];

const productName: Make = ({ draw }) => {
  const { adjective, material, product } = commerce.product_name;
  const thing = draw.pick(product);
  return [`${draw.pick(adjective)} ${draw.pick(material)} ${thing}`, thing];
};
const companyName: Make = ({ draw }) => {
  const name = draw.pick(person.last_name.generic);
  return [`${name} ${draw.pick(company.legal_entity_type)}`, name];
};
const phrase: Make = ({ draw }) => {
  const noun = draw.pick(company.noun);
  return [capital(`${draw.pick(company.adjective)} ${noun}`.toLowerCase()), capital(noun)];
};
const sentences: Make = (place) => {
  const { words, around, draw } = place;
  if (/\b(?:product|item|article)/u.test(`${around} ${words}`)) {
    const { adjective, material, product } = commerce.product_name;
    return [`${draw.pick(adjective)} ${draw.pick(product)} made of ${draw.pick(material)}.`];
  }
  const sentence = (): string =>
    capital(
      `${draw.pick(company.buzz_verb)} ${draw.pick(company.buzz_adjective)} ${draw.pick(company.buzz_noun)}.`,
    );
  const first = sentence();
  return [`${first} ${sentence()}`, first, ...phrase(place)];
};
const jobTitle: Make = ({ draw }) => {
  const { job_descriptor: descriptor, job_area: level, job_type: job } = person;
  const last = draw.pick(job);
  return [`${draw.pick(descriptor)} ${draw.pick(level)} ${last}`, last];
};
const street: Make = ({ draw }) => [
  `${draw.integer(1, 999)} ${draw.pick(person.last_name.generic)} ${draw.pick(location.street_suffix)}`,
];
const city: Make = ({ draw }) => [draw.pick(location.city_name)];
const country: Make = ({ draw }) => [draw.pick(location.country), draw.pick(countryCodes)];
const countryCode: Make = ({ draw }) => [draw.pick(countryCodes)];
const noun: Make = ({ draw }) => [draw.pick(company.noun).toLowerCase()];
const slug: Make = ({ draw }) => [`${draw.pick(company.adjective)} ${draw.pick(company.noun)}`].map(toSlug);
const host: Make = ({ draw }) => [`${toSlug(draw.pick(person.last_name.generic))}.example.com`];
const link: Make = (place) => [`https://example.com/${slug(place)[0]}`, 'https://example.com/'];
const image: Make = (place) => [`https://example.com/images/${slug(place)[0]}.jpg`];
const fileName: Make = (place) => [`${slug(place)[0]}.pdf`];
/** Numbers reserved for fiction, in the common notations of schemas. */
const phone: Make = ({ draw }) => {
  const area = draw.pick(['202', '212', '303', '312', '415', '512', '617', '702']);
  const line = `01${draw.digits(2)}`;
  const plain = `${area}555${line}`;
  return [
    `+1-${area}-555-${line}`,
    `+1${plain}`,
    `${area}-555-${line}`,
    `(${area}) 555-${line}`,
    plain,
    `1${plain}`,
  ];
};
const postCode: Make = ({ draw }) => {
  const digits = draw.digits(5);
  return [digits, `${digits}-${draw.digits(4)}`, digits.slice(0, 4)];
};
const hexadecimal =
  (count: number): Make =>
  ({ draw }) => [Array.from({ length: count }, () => draw.integer(0, 15).toString(16)).join('')];
const uuid: Make = (place) => {
  const hex = hexadecimal(32)(place)[0] ?? '';
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20),
  ];
  return [parts.join('-')];
};
const color: Make = ({ draw }) => [
  draw.pick(colors.human),
  `#${draw.integer(0x100000, 0xffffff).toString(16)}`,
];
const code: Make = ({ draw }) => {
  const letters = Array.from({ length: 3 }, () => String.fromCharCode(65 + draw.integer(0, 25))).join('');
  return [`${letters}-${draw.digits(4)}`, `${letters}${draw.digits(3)}`, letters, draw.digits(6)];
};
const oneOf = (...values: readonly string[]): Make => {
  return ({ draw }) => [draw.pick(values), ...values];
};
/** A state of a country; without an address, `state` means a status. */
const stateName: Make = ({ words, around, draw }) =>
  words === 'state' && !/address|location/u.test(around)
    ? ['active', 'open']
    : [draw.pick(location.state), draw.pick(location.state_abbr)];
/** Picks words from lists of the package. */
const wordOf = (values: readonly string[]): Make => {
  return ({ draw }) => [draw.pick(values), draw.pick(values)];
};

const toEnding = (words: string): RegExp => new RegExp(String.raw`\b(?:${words})$`, 'u');
const people =
  'users?|customers?|persons?|people|owners?|authors?|contacts?|members?|employees?|students?|teachers?|patients?|passengers?|guests?|drivers?|managers?|assignees?|clients?|players?|recipients?|senders?|creators?|buyers?|attendees?|speakers?|holders?|cardholders?|readers?|writers?|artists?|doctors?|agents?|staff|pets?|dogs?|cats?|animals?';
const companies = toEnding(
  'compan(?:y|ies)|organi[sz]ations?|orgs?|employers?|business(?:es)?|vendors?|suppliers?|brands?|manufacturers?|merchants?|publishers?|tenants?|shops?|stores?|restaurants?|hotels?',
);
const places = /\b(?:cit(?:y|ies)|towns?|stations?|locations?|places?|airports?|warehouses?)$/u;
const products = 'products?|items?|articles?|goods|sku|parts?';
const [ofPeople, ofProducts] = [people, products].map(toEnding);
const sentenceNames =
  'descriptions?|summary|bio|about|notes?|comments?|messages?|text|body|content|details?|reason|instructions?|remarks?|review|abstract|excerpt';
const pastTimes =
  '(?:created|updated|modified|deleted|published|issued|ordered|started|ended|expires|paid|shipped)(?: ?(?:at|on))?|timestamp|date ?time';

/** Returns a name; the kind of thing is in the word before, or in the name of the object. */
function nameOf(place: TextPlace): readonly string[] {
  const kind = place.words.replace(/ ?name$/u, '') || place.around;
  if (/\b(?:files?|documents?|attachments?|images?)$/u.test(kind)) return fileName(place);
  if (/\b(?:pets?|dogs?|cats?|animals?)$/u.test(kind)) return firstName(place);
  if (ofPeople?.test(kind)) return fullName(place);
  if (companies.test(kind)) return companyName(place);
  if (places.test(kind)) return city(place);
  if (/\bcountr(?:y|ies)$/u.test(kind)) return country(place);
  if (ofProducts?.test(kind)) return productName(place);
  return phrase(place);
}

/** Name endings and their generators. The first match is used. */
const rules = Object.entries<Make>({
  'e ?mail(?: ?addresse?s?)?': email,
  '(?:first|given|fore) ?names?': firstName,
  '(?:last|sur|family) ?names?': lastName,
  'middle ?name': ({ draw }) => [draw.pick(person.first_name.generic)],
  'user ?name|login|handle|nick ?name|screen ?name': (place) => [account(place), toSlug(account(place))],
  '(?:full|display|contact|legal) ?name': fullName,
  '(?:host|domain)(?: ?name)?': host,
  'file ?names?|attachments?': fileName,
  'company ?name|company|organi[sz]ation|employer|vendor|supplier|brand|manufacturer|merchant|publisher':
    companyName,
  'street(?: ?name| ?address)?|address(?: ?line)?(?: ?1)?': street,
  'address(?: ?line)? ?2': ({ draw }) => [`Apt. ${draw.integer(1, 99)}`],
  '(?:city|town|locality|municipality)(?: ?name)?': city,
  'country ?code': countryCode,
  '(?:country|nationality)(?: ?name)?': country,
  '(?:state|province|region)(?: ?(?:name|code))?': stateName,
  county: wordOf(location.county),
  '(?:zip|post(?:al)?) ?(?:code)?': postCode,
  '(?:time ?zone|tz)': wordOf(timeZones),
  '(?:phone|mobile|tel(?:ephone)?|fax|cell)(?: ?(?:number|no))?': phone,
  '(?:image|avatar|photo|picture|thumbnail|logo|icon|cover|banner)s?(?: ?(?:url|uri|link|src))?s?': image,
  '(?:url|uri|link|href|website|web ?site|home ?page|site|callback|web ?hook)s?': link,
  'ip(?: ?(?:v4)?(?: ?address)?)?': ({ draw }) => [`192.0.2.${draw.integer(1, 254)}`],
  'user ?agent': () => ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  'price|amount|cost|total|subtotal|fee|tax|balance|salary|budget|revenue': ({ draw }) => [
    `${draw.integer(5, 200)}.${draw.digits(2)}`,
  ],
  'currency(?: ?code)?': oneOf('EUR', 'USD', 'GBP', 'CHF', 'SEK', 'CAD', 'AUD', 'JPY'),
  'colou?rs?': color,
  '(?:language|lang)(?: ?code)?s?': oneOf('en', 'de', 'fr', 'es', 'en-US', 'eng'),
  'job(?: ?title)?|occupation|profession|position': jobTitle,
  locale: oneOf('en-US', 'en-GB', 'de-DE', 'fr-FR', 'en_US', 'en'),
  iban: () => ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'],
  '(?:bic|swift)(?: ?code)?': oneOf('DEUTDEFF', 'DEUTDEFF500'),
  'account ?(?:number|no)': ({ draw }) => [draw.digits(10), draw.digits(8)],
  'gender|sex': wordOf(person.sex),
  'roles?': oneOf('member', 'admin', 'editor', 'viewer'),
  password: (place) => [`${slug(place)[0]}-${place.draw.digits(2)}A!`],
  'token|secret|api ?key|signature|nonce|etag': hexadecimal(32),
  'sha ?256|checksum|digest': hexadecimal(64),
  'hash|commit|sha(?: ?1)?': hexadecimal(40),
  '(?:mime|media|content) ?type': oneOf('application/pdf', 'image/jpeg', 'text/plain'),
  '(?:file )?extension': oneOf('pdf', 'jpg', 'txt'),
  '(?:file )?path': (place) => [`/documents/${slug(place)[0]}`],
  version: ({ draw }) => [`${draw.integer(1, 4)}.${draw.integer(0, 9)}.${draw.integer(0, 9)}`, '1.0', 'v1'],
  slug: slug,
  'sku|code|reference|ref|(?:order|invoice|serial|tracking|batch|flight|room|ticket)(?: ?(?:number|no))':
    code,
  'status|condition': oneOf('active', 'open', 'ACTIVE'),
  'categor(?:y|ies)|department(?: ?name)?': wordOf(commerce.department),
  'tags?|keywords?|labels?|type|kind|topics?': noun,
  title: (place) =>
    (/\b(?:job|person|employee)/u.test(`${place.around} ${place.words}`) ? jobTitle : phrase)(place),
  'subject|headline|heading|slogan|tagline': phrase,
  [sentenceNames]: sentences,
  [pastTimes]: (place) => [timeOf(place), timeOf(place).slice(0, 10)],
  'date|birthday|dob|day|deadline|date of .*': (place) => [timeOf(place).slice(0, 10), timeOf(place)],
  '(?:uu|gu)?id': (place) => [...uuid(place), place.draw.digits(6)],
  name: nameOf,
  [people]: fullName,
  [products]: productName,
}).map(([ending, make]) => [toEnding(ending), make] as const);

/** Days from now between which a time lies, by the words of its name; the first match counts. */
const days: readonly (readonly [RegExp, from: number, to: number])[] = [
  [/birth|\bdob\b/u, -25_000, -7000],
  [/\b(?:created|joined|registered|opened|ordered|founded|hired|issued)\b/u, -365, -31],
  [
    /\b(?:due|expir\w*|deadline|valid until|until|end|ends|return|arrival|checkout|delivery|scheduled|next)\b/u,
    15,
    60,
  ],
  [/\b(?:start|starts|from|begin|departure|checkin|event|booking|appointment)\b/u, 1, 14],
];

/** Returns a likely RFC 3339 time: a birth is long ago, a creation before a change, a due date in the future. */
function timeOf({ words, draw, timeAfter }: TextPlace): string {
  const [, from, to] = days.find(([name]) => name.test(words)) ?? [words, -30, -1];
  return timeAfter(draw.integer(from, to));
}

const formats: Readonly<Record<string, Make>> = {
  date: (place) => [timeOf(place).slice(0, 10)],
  'date-time': (place) => dateTimeForms(timeOf(place)),
  time: (place) => [timeOf(place).slice(11)],
  email,
  'idn-email': email,
  hostname: host,
  'idn-hostname': host,
  ipv4: ({ draw }) => [`192.0.2.${draw.integer(1, 254)}`],
  ipv6: ({ draw }) => [`2001:db8::${draw.integer(1, 0xffff).toString(16)}`],
  uri: (place) => [
    ...(/image|avatar|photo|picture|thumbnail|logo|icon|cover/u.test(place.words) ? image(place) : []),
    ...link(place),
  ],
  uuid,
  byte: (place) => [btoa(phrase(place)[0] ?? '')],
};
const aliases: Readonly<Record<string, string>> = { url: 'uri', iri: 'uri' };
/** Formats whose values do not depend on a name. */
const technical =
  /^(?:binary|duration|iri-reference|iso-.*|json-pointer.*|regex|relative-.*|uri-(?:reference|template))$/u;

/**
 * Returns texts for a name, the most likely first: `Ada Lovelace` for `customer name`. Returns none for an unknown
 * name. A format with its own generator has priority over the name; any other format is used like a name.
 */
export function makeTexts(place: TextPlace, format: string | undefined): readonly string[] {
  if (format !== undefined) {
    const known = aliases[format] ?? format;
    if (Object.hasOwn(formats, known)) return formats[known]?.(place) ?? [];
    if (technical.test(format)) return [];
  }
  const [rule] = [place.words, format ?? ''].flatMap((words) => rules.filter(([name]) => name.test(words)));
  return rule?.[1](place) ?? [];
}
