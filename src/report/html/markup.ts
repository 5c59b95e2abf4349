import { escapeHtml } from './escape-html.ts';

/** A piece of HTML that is safe to put into a page: made by {@link markup}, never of a text as it came. */
export interface Markup {
  readonly html: string;
}

/** What may stand in a template: texts are escaped, pieces are taken as they are, the rest is nothing. */
export type MarkupValue = string | number | Markup | undefined | readonly MarkupValue[];

function isList(value: MarkupValue): value is readonly MarkupValue[] {
  return Array.isArray(value);
}

function toMarkup(value: MarkupValue): string {
  if (value === undefined) {
    return '';
  }
  if (typeof value === 'string' || typeof value === 'number') {
    return escapeHtml(String(value));
  }
  return isList(value) ? value.map(toMarkup).join('') : value.html;
}

/**
 * Makes a piece of HTML of a template. Whatever is put into it is escaped, for content and for attributes in
 * quotes; an attribute without quotes is not safe.
 *
 * @example markup`<p title="${title}">${text}</p>`
 */
export function markup(strings: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return { html: String.raw({ raw: strings }, ...values.map(toMarkup)) };
}
