import { notes, respond } from './store.js';

export function POST(request) {
  return respond(201, async () => notes.add(await request.json()));
}
