import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { HollowLog } from "../../../src/runtime/hollow/hollow-log.ts";

const ALL = { previous: false, tailLines: undefined, since: undefined };

test("a reader who follows a log leaves nothing behind in its signal, however many lines come", async () => {
  const log = new HollowLog();
  const { signal } = new AbortController();
  const reading = log.read({ ...ALL, follow: true, signal });
  for (let line = 0; line < 20; line++) {
    const next = reading.next();
    log.write(line, `line ${line}`);
    expect((await next).value).toEqual({ time: line, text: `line ${line}` });
  }
  expect(getEventListeners(signal, "abort")).toEqual([]);
  const last = reading.next();
  log.close();
  expect(await last).toMatchObject({ done: true });
});

test("a reader who gives up is told so", async () => {
  const reader = new AbortController();
  const next = new HollowLog().read({ ...ALL, follow: true, signal: reader.signal }).next();
  reader.abort();
  expect(await next).toMatchObject({ done: true });
});
