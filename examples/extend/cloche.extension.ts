// For `cloche test --extension cloche.extension.ts`: a file exports its extension by default.
export { extension as default } from './extension.ts';
