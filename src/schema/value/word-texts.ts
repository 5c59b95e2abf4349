import { base, en } from '@faker-js/faker';
import { dateTimeForms } from './text.ts';

/** Chooses among values, always the same for a seed. */
export interface Draw {
  readonly pick: <T>(values: readonly T[]) => T;
  /** A whole number, both ends included. */
  readonly integer: (from: number, to: number) => number;
  readonly digits: (count: number) => string;
}

/** What a text is made for. */
export interface TextPlace {
  /** The words of its name, in lower case, with a space between: `customer name`. */
  readonly words: string;
  /** The words of what it lies in, the outermost first. */
  readonly around: string;
  readonly draw: Draw;
  /** Chooses what the texts beside it share: a person has one name. */
  readonly shared: Draw;
  /** A time of so many days after this one, or before it, as an RFC 3339 date-time. */
  readonly timeAfter: (days: number) => string;
}

/** Texts for a place, the likeliest first: what its schema does not take is passed over. */
type Make = (place: TextPlace) => readonly string[];

type Words = readonly string[];

/** The English word lists that are drawn from below. */
interface EnglishLists {
  readonly animal: Readonly<Record<'cat' | 'dog' | 'type', Words>>;
  readonly color: { readonly human: Words };
  readonly commerce: {
    readonly department: Words;
    readonly product_name: Readonly<Record<'adjective' | 'material' | 'product', Words>>;
  };
  readonly company: Readonly<
    Record<'adjective' | 'buzz_adjective' | 'buzz_noun' | 'buzz_verb' | 'legal_entity_type' | 'noun', Words>
  >;
  readonly location: Readonly<
    Record<'city_name' | 'country' | 'county' | 'state' | 'state_abbr' | 'street_suffix', Words>
  >;
  readonly music: { readonly genre: Words };
  readonly person: Readonly<Record<'first_name' | 'last_name', { readonly generic: Words }>> &
    Readonly<Record<'job_area' | 'job_descriptor' | 'job_type' | 'sex', Words>>;
  readonly vehicle: Readonly<Record<'fuel' | 'manufacturer' | 'model', Words>>;
}

// `as`: the types let any list of a language be missing, or leave it out; of English all of these are there.
const {
  animal,
  color: colors,
  commerce,
  company,
  location,
  music,
  person,
  vehicle,
} = en as unknown as EnglishLists;
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
  // The first name is drawn before, as everywhere beside it.
  shared.pick(person.first_name.generic);
  return [shared.pick(person.last_name.generic)];
};
const fullName: Make = ({ shared }) => {
  const first = shared.pick(person.first_name.generic);
  return [`${first} ${shared.pick(person.last_name.generic)}`, first];
};
/** As it stands in an address: `mary.o-keefe`. */
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
/** Numbers that are set apart for fiction, in what forms schemas ask for. */
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
const amount: Make = ({ draw }) => [`${draw.integer(5, 200)}.${draw.digits(2)}`];
const oneOf = (...values: readonly string[]): Make => {
  return ({ draw }) => [draw.pick(values), ...values];
};
/** Words from lists of the package. */
const wordOf = (values: readonly string[]): Make => {
  return ({ draw }) => [draw.pick(values), draw.pick(values)];
};

const people =
  /\b(?:users?|customers?|persons?|people|owners?|authors?|contacts?|members?|employees?|students?|teachers?|patients?|passengers?|guests?|drivers?|managers?|assignees?|clients?|players?|recipients?|senders?|creators?|buyers?|attendees?|speakers?|holders?|cardholders?|readers?|writers?|artists?|doctors?|agents?|staff|pets?|dogs?|cats?|animals?)$/u;
const companies =
  /\b(?:compan(?:y|ies)|organi[sz]ations?|orgs?|employers?|business(?:es)?|vendors?|suppliers?|brands?|manufacturers?|merchants?|publishers?|tenants?|shops?|stores?|restaurants?|hotels?)$/u;
const places = /\b(?:cit(?:y|ies)|towns?|stations?|locations?|places?|airports?|warehouses?)$/u;
const products = /\b(?:products?|items?|articles?|goods|sku|parts?)$/u;

/** The name of something: what it is a name of says the word before, or what it lies in. */
function nameOf(place: TextPlace): readonly string[] {
  const kind = place.words.replace(/ ?name$/u, '') || place.around;
  if (/\b(?:files?|documents?|attachments?|images?)$/u.test(kind)) return fileName(place);
  if (/\b(?:pets?|dogs?|cats?|animals?)$/u.test(kind)) return firstName(place);
  if (people.test(kind)) return fullName(place);
  if (companies.test(kind)) return companyName(place);
  if (places.test(kind)) return city(place);
  if (/\bcountr(?:y|ies)$/u.test(kind)) return country(place);
  if (products.test(kind)) return productName(place);
  return phrase(place);
}

/** What texts are called, and how they are made. The first that fits counts. */
const rules: readonly (readonly [name: RegExp, make: Make])[] = [
  [/\be ?mail(?: ?addresse?s?)?$/u, email],
  [/\b(?:first|given|fore) ?names?$/u, firstName],
  [/\b(?:last|sur|family) ?names?$/u, lastName],
  [/\bmiddle ?name$/u, ({ draw }) => [draw.pick(person.first_name.generic)]],
  [
    /\b(?:user ?name|login|handle|nick ?name|screen ?name)$/u,
    (place) => [account(place), toSlug(account(place))],
  ],
  [/\b(?:full|display|contact|legal) ?name$/u, fullName],
  [/\bhost ?name$|\b(?:host|domain)(?: ?name)?$/u, host],
  [/\bfile ?names?$|\battachments?$/u, fileName],
  [
    /\bcompany ?name$|\b(?:company|organi[sz]ation|employer|vendor|supplier|brand|manufacturer|merchant|publisher)$/u,
    companyName,
  ],
  [/\bstreet(?: ?name| ?address)?$|\baddress(?: ?line)?(?: ?1)?$/u, street],
  [/\baddress(?: ?line)? ?2$/u, ({ draw }) => [`Apt. ${draw.integer(1, 99)}`]],
  [/\b(?:city|town|locality|municipality)(?: ?name)?$/u, city],
  [/\bcountry ?code$/u, countryCode],
  [/\b(?:country|nationality)(?: ?name)?$/u, country],
  [
    /\b(?:state|province|region)(?: ?(?:name|code))?$/u,
    ({ words, around, draw }) =>
      // Else it is how far something has come.
      /^state$/u.test(words) && !/address|location/u.test(around)
        ? ['active', 'open']
        : [draw.pick(location.state), draw.pick(location.state_abbr)],
  ],
  [/\bcounty$/u, wordOf(location.county)],
  [/\b(?:zip|post(?:al)?) ?(?:code)?$/u, postCode],
  [/\blat(?:itude)?$/u, ({ draw }) => [`${draw.integer(-60, 70)}.${draw.digits(4)}`]],
  [/\b(?:lng|lon(?:gitude)?)$/u, ({ draw }) => [`${draw.integer(-170, 170)}.${draw.digits(4)}`]],
  [/\b(?:time ?zone|tz)$/u, wordOf(timeZones)],
  [/\b(?:phone|mobile|tel(?:ephone)?|fax|cell)(?: ?(?:number|no))?$/u, phone],
  [
    /\b(?:image|avatar|photo|picture|thumbnail|logo|icon|cover|banner)s?(?: ?(?:url|uri|link|src))?s?$/u,
    image,
  ],
  [/\b(?:url|uri|link|href|website|web ?site|home ?page|site|callback|web ?hook)s?$/u, link],
  [/\bip(?: ?(?:v4)?(?: ?address)?)?$/u, ({ draw }) => [`192.0.2.${draw.integer(1, 254)}`]],
  [/\bmac(?: ?address)?$/u, ({ draw }) => [`00:00:5e:00:53:${draw.integer(16, 255).toString(16)}`]],
  [/\buser ?agent$/u, () => ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0']],
  [/\bcurrency ?symbol$/u, oneOf('€', '$', '£', '¥')],
  [/\bcurrency(?: ?code)?$/u, oneOf('EUR', 'USD', 'GBP', 'CHF', 'SEK', 'CAD', 'AUD', 'JPY')],
  [/\b(?:price|amount|cost|total|subtotal|fee|tax|balance|salary|budget|revenue)$/u, amount],
  [/\bcolou?rs?$/u, color],
  [/\b(?:language|lang)(?: ?code)?s?$/u, oneOf('en', 'de', 'fr', 'es', 'en-US', 'eng')],
  [/\blocale$/u, oneOf('en-US', 'en-GB', 'de-DE', 'fr-FR', 'en_US', 'en')],
  [/\b(?:job(?: ?title)?|occupation|profession|position)$/u, jobTitle],
  [/\bdepartment(?: ?name)?$/u, wordOf(commerce.department)],
  [/\b(?:gender|sex)$/u, wordOf(person.sex)],
  [/\broles?$/u, oneOf('member', 'admin', 'editor', 'viewer')],
  [/\bpassword$/u, (place) => [`${slug(place)[0]}-${place.draw.digits(2)}A!`]],
  [/\b(?:token|secret|api ?key|signature|nonce|etag)$/u, hexadecimal(32)],
  [/\b(?:sha ?256|checksum|digest)$/u, hexadecimal(64)],
  [/\b(?:hash|commit|sha(?: ?1)?)$/u, hexadecimal(40)],
  [/\bmd5$/u, hexadecimal(32)],
  [/\b(?:mime|media|content) ?type$/u, oneOf('application/pdf', 'image/jpeg', 'text/plain')],
  [/\b(?:file )?extension$/u, oneOf('pdf', 'jpg', 'txt')],
  [/\b(?:file )?path$/u, (place) => [`/documents/${slug(place)[0]}`]],
  [
    /\bversion$/u,
    ({ draw }) => [`${draw.integer(1, 4)}.${draw.integer(0, 9)}.${draw.integer(0, 9)}`, '1.0', 'v1'],
  ],
  [/\bslug$/u, slug],
  [/\biban$/u, () => ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00']],
  [/\b(?:bic|swift)(?: ?code)?$/u, oneOf('DEUTDEFF', 'DEUTDEFF500')],
  [/\b(?:credit ?)?card ?number$/u, () => ['4242424242424242', '4242 4242 4242 4242']],
  [/\baccount ?(?:number|no)$/u, ({ draw }) => [draw.digits(10), draw.digits(8)]],
  [/\bisbn(?: ?13)?$/u, () => ['9783161484100', '978-3-16-148410-0', '316148410X']],
  [
    /\b(?:sku|code|reference|ref|(?:order|invoice|serial|tracking|batch|flight|room|ticket)(?: ?(?:number|no)))$/u,
    code,
  ],
  [/\bbreed$/u, wordOf(animal.dog)],
  [/\b(?:species|animal)$/u, wordOf(animal.type)],
  [/\bgenres?$/u, wordOf(music.genre)],
  [/\b(?:car|vehicle )?(?:make)$/u, wordOf(vehicle.manufacturer)],
  [/\b(?:vehicle|car) model$/u, wordOf(vehicle.model)],
  [/\bfuel(?: type)?$/u, wordOf(vehicle.fuel)],
  [/\b(?:status|condition)$/u, oneOf('active', 'open', 'ACTIVE')],
  [/\bcategor(?:y|ies)$/u, wordOf(commerce.department)],
  [/\b(?:tags?|keywords?|labels?|type|kind|topics?)$/u, noun],
  [
    /\btitle$/u,
    (place) =>
      (/\b(?:job|person|employee)/u.test(`${place.around} ${place.words}`) ? jobTitle : phrase)(place),
  ],
  [/\b(?:subject|headline|heading|label|slogan|tagline|topic)$/u, phrase],
  [
    /\b(?:descriptions?|summary|bio|about|notes?|comments?|messages?|text|body|content|details?|reason|instructions?|remarks?|review|abstract|excerpt)$/u,
    sentences,
  ],
  [
    /\b(?:created|updated|modified|deleted|published|issued|ordered|started|ended|expires|paid|shipped)(?: ?(?:at|on))?$|\b(?:timestamp|date ?time)$/u,
    (place) => [timeOf(place), timeOf(place).slice(0, 10)],
  ],
  [
    /\b(?:date|birthday|dob|day|deadline)$|\bdate of\b/u,
    (place) => [timeOf(place).slice(0, 10), timeOf(place)],
  ],
  [/\b(?:uu|gu)?id$/u, (place) => [...uuid(place), place.draw.digits(6)]],
  [/\bname$/u, nameOf],
  [people, fullName],
  [products, productName],
];

/** When something was or will be, an RFC 3339 date-time: a birth is long ago, a creation before a change, a due date to come. */
function timeOf({ words, draw, timeAfter }: TextPlace): string {
  const [from, to] = /birth|\bdob\b/u.test(words)
    ? [-25_000, -7000]
    : /\b(?:created|joined|registered|opened|ordered|founded|hired|issued)\b/u.test(words)
      ? [-365, -31]
      : /\b(?:due|expir\w*|deadline|valid until|until|end|ends|return|arrival|checkout|delivery|scheduled|next)\b/u.test(
            words,
          )
        ? [15, 60]
        : /\b(?:start|starts|from|begin|departure|checkin|event|booking|appointment)\b/u.test(words)
          ? [1, 14]
          : [-30, -1];
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
/** Formats whose values no name tells anything of. */
const technical =
  /^(?:binary|duration|iri-reference|iso-.*|json-pointer.*|regex|relative-.*|uri-(?:reference|template))$/u;

/**
 * Texts for what is called so, the likeliest first: `Ada Lovelace` for `customer name`. None for a name that says
 * nothing. A format that asserts something comes before the name; another is one more name.
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
