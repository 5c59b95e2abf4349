import type { JsonValue } from '../json/json-value.ts';
import type { Body } from './body.ts';
import { bodyMembers } from './body-members.ts';
import { joinParts } from './join-parts.ts';
import type { PlainBody } from './plain-body.ts';

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** A plain body as an XML document, an element for each member. */
export function xmlNotation(body: PlainBody, value: JsonValue): Body {
  const elements = bodyMembers(body, value).map(([name, text]): Body => {
    return [`<${name}>`, typeof text === 'string' ? escapeXml(text) : text, `</${name}>`];
  });
  return joinParts(['<?xml version="1.0" encoding="UTF-8"?><body>', ...elements.flat(), '</body>']);
}
