import { createMemoryStore } from './memory-store.ts';
import { describeStore } from './store-conformance.ts';

describeStore('memory', createMemoryStore);
