/** What would settle a question that nothing in OpenAPI speaks of. */
export const noWords = 'OpenAPI has no words for it; x-cloche-policy would have to say it';
