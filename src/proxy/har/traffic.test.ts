import { expect, test } from 'vitest';
import { describeTrafficResult, judgeRecording, readRecording } from '../../../fixtures/judge-recording.ts';

function judge(name: string): ReturnType<typeof describeTrafficResult> & { baseUrl: string | undefined } {
  const result = judgeRecording(readRecording(name));
  return { ...describeTrafficResult(result), baseUrl: result.baseUrl };
}

test('what Chrome exports without sensitive data accuses nobody of letting anonymous requests in', () => {
  expect(judge('chrome-sanitized.har')).toEqual({
    baseUrl: 'https://garden.example/v1',
    found: [],
    judged: 4,
    unjudged: [
      '1 it is not below https://garden.example/v1: entry 1 of a.har',
      '1 no answer was recorded: entry 6 of a.har',
      '1 the content of its answer is not in the file: entry 7 of a.har',
      '1 it was answered from a cache: entry 8 of a.har',
      '1 the browser answered it itself: entry 9 of a.har',
    ],
  });
});

test('what Firefox exports shows who was let in without credentials, and nobody whose token expired', () => {
  expect(judge('firefox.har')).toEqual({
    baseUrl: 'https://garden.example/v1',
    found: [
      'violation credentials-ignored at entry 2 of a.har',
      'violation response-schema at entry 4 of a.har',
    ],
    judged: 4,
    unjudged: [],
  });
});

test('Playwright keeps bodies in base64, apart, or not at all, and decoded whatever Content-Encoding says', () => {
  expect(judge('playwright.har')).toEqual({
    baseUrl: 'https://garden.example/v1',
    found: ['violation invalid-body-accepted at entry 4 of a.har'],
    judged: 2,
    unjudged: ['2 the content of its answer is not in the file: entry 2 of a.har'],
  });
});

test('Insomnia writes the fields of a form and no sizes', () => {
  expect(judge('insomnia.har')).toEqual({
    baseUrl: 'https://garden.example/v1',
    found: ['violation server-error at entry 1 of a.har'],
    judged: 2,
    unjudged: [],
  });
});

test('mitmproxy keeps binary answers in base64, and requests that are no text it does not keep', () => {
  expect(judge('mitmproxy.har')).toEqual({
    baseUrl: 'https://garden.example/v1',
    found: ['violation response-media-type at entry 1 of a.har'],
    judged: 1,
    unjudged: ['1 its content was not kept byte for byte: entry 2 of a.har'],
  });
});
