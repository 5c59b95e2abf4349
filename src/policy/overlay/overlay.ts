import type { JsonValue } from '../../json/json-value.ts';

/** A change to the places that a JSONPath selects (OpenAPI Overlay 1.0.0, Action Object). */
export interface OverlayAction {
  readonly target: string;
  readonly description: string;
  /** Merged with an object, appended to an array. */
  readonly update?: JsonValue;
  readonly remove?: true;
}

/** What is to be changed in a document (OpenAPI Overlay 1.0.0, Overlay Object). */
export interface Overlay {
  readonly overlay: '1.0.0';
  readonly info: { readonly title: string; readonly version: string };
  /** The document. */
  readonly extends?: string;
  /** In this order. */
  readonly actions: readonly OverlayAction[];
}
