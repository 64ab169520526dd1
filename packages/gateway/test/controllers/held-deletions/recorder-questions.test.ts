import { ManualClock } from "@kindling/outside";
import type { AskedPod, PodEndSoFar } from "@kindling/recorder-client";
import type { Log } from "@kindling/service";
import { expect, test } from "vitest";
import { type RecorderAnswer, RecorderQuestions } from "../../../src/controllers/held-deletions/recorder-questions.ts";

const ended = (uid: string): AskedPod => ({ namespace: "spark-jobs", name: `pod-${uid}`, uid });

function scene() {
  const clock = new ManualClock();
  const lines: string[] = [];
  const note = (text: string): void => void lines.push(text);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const asked: string[][] = [];
  const answers: {
    readonly resolve: (ends: ReadonlyMap<string, PodEndSoFar>) => void;
    readonly reject: (why: Error) => void;
  }[] = [];
  const questions = new RecorderQuestions({
    clock,
    log,
    ask(pods) {
      asked.push(pods.map(({ uid }) => uid));
      return new Promise((resolve, reject) => answers.push({ resolve, reject }));
    },
  });
  return { clock, lines, asked, answers, questions };
}

test("pods that end within moments are in the same question", async () => {
  const { clock, asked, answers, questions } = scene();
  const ends = ["a", "b", "c"].map((uid) => questions.endOf(ended(uid)));
  await clock.advance(50);
  expect(asked).toEqual([["a", "b", "c"]]);
  answers[0]?.resolve(
    new Map([
      ["a", "recorded"],
      ["b", "unread"],
    ]),
  );
  expect(await Promise.all(ends)).toEqual(["recorded", "unread", "unknown"]);
});

test("pods whose logs may still be read are asked about again, as long as they are waited for", async () => {
  const { clock, asked, answers, questions } = scene();
  const first = [questions.endOf(ended("a")), questions.endOf(ended("b"))];
  await clock.advance(50);
  answers.shift()?.resolve(
    new Map<string, PodEndSoFar>([
      ["a", "recorded"],
      ["b", "open"],
    ]),
  );
  expect(await first[0]).toBe("recorded");
  await clock.advance(0);
  expect(asked).toEqual([["a", "b"], ["b"]]);
  await clock.advance(5_000);
  answers.shift()?.resolve(new Map([["b", "open"]]));
  expect(await first[1]).toBe("unread");
  await clock.advance(50);
  expect(asked).toHaveLength(2);
});

test("many pods are asked about with several questions, and no more than the recorder can bear at once", async () => {
  const { clock, asked, answers, questions } = scene();
  const all = Array.from({ length: 17_000 }, (_, index) => questions.endOf(ended(String(index))));
  await clock.advance(50);
  expect(asked.map(({ length }) => length)).toEqual(Array.from({ length: 32 }, () => 500));
  answers.shift()?.resolve(new Map());
  await clock.advance(0);
  expect(asked).toHaveLength(33);
  while (answers.length > 0) {
    answers.shift()?.resolve(new Map());
    await clock.advance(0);
  }
  expect(new Set(asked.flat()).size).toBe(17_000);
  expect(await Promise.all(all)).toHaveLength(17_000);
});

test("a recorder that is started again is asked each second, and pods wait for it", async () => {
  const { clock, asked, answers, questions, lines } = scene();
  const early = questions.endOf(ended("a"));
  await clock.advance(50);
  answers.shift()?.reject(new Error("no connection"));
  await clock.advance(500);
  const late = questions.endOf(ended("b"));
  await clock.advance(499);
  expect(asked).toEqual([["a"]]);
  await clock.advance(1);
  expect(asked).toEqual([["a"], ["a", "b"]]);
  answers.shift()?.reject(new Error("no connection"));
  expect([questions.isAway, questions.isRestarting]).toEqual([false, true]);
  await clock.advance(1_000);
  answers.shift()?.resolve(
    new Map([
      ["a", "recorded"],
      ["b", "recorded"],
    ]),
  );
  expect(await Promise.all([early, late])).toEqual(["recorded", "recorded"]);
  expect(questions.isRestarting).toBe(false);
  expect(lines).toEqual([
    "the recorder does not answer: pods of ended executors wait for it, and after half a minute they do not",
    "the recorder answers again",
  ]);
});

test("nobody waits for it longer than five seconds", async () => {
  const { clock, answers, questions } = scene();
  const end = questions.endOf(ended("a"));
  for (const milliseconds of [50, 1_000, 1_000, 1_000, 1_000, 1_000]) {
    await clock.advance(milliseconds);
    answers.shift()?.reject(new Error("no connection"));
  }
  expect(await end).toBe("away");
});

test("a recorder that fails for half a minute is left alone, and longer each time", async () => {
  const { clock, asked, answers, questions } = scene();
  const ends: Promise<RecorderAnswer>[] = [];
  for (let second = 0; second < 31; second++) {
    ends.push(questions.endOf(ended("a")));
    await clock.advance(1_000);
    answers.shift()?.reject(new Error("no connection"));
    await clock.advance(0);
  }
  expect(new Set(await Promise.all(ends))).toEqual(new Set(["away"]));
  expect([questions.isAway, questions.isRestarting]).toEqual([true, false]);
  expect(await questions.endOf(ended("b"))).toBe("away");
  for (const seconds of [2, 4, 8, 16, 30, 30]) {
    await clock.advance(seconds * 1000 - 1);
    expect(questions.isAway).toBe(true);
    await clock.advance(1);
    expect(questions.isAway).toBe(false);
    const again = questions.endOf(ended("a"));
    await clock.advance(50);
    answers.shift()?.reject(new Error("no connection"));
    expect(await again).toBe("away");
  }
  await clock.advance(30_000);
  const next = questions.endOf(ended("c"));
  await clock.advance(50);
  answers.shift()?.resolve(new Map([["c", "recorded"]]));
  expect(await next).toBe("recorded");
  expect(asked.at(-1)).toEqual(["c"]);
});
