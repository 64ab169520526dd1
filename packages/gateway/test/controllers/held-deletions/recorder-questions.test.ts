import { ManualClock } from "@kindling/outside";
import type { AskedPod, PodEndSoFar } from "@kindling/recorder-client";
import type { Log } from "@kindling/service";
import { expect, test } from "vitest";
import { RecorderQuestions } from "../../../src/controllers/held-deletions/recorder-questions.ts";

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

test("a recorder that fails is left alone for a second, and longer if it fails again", async () => {
  const { clock, asked, answers, questions, lines } = scene();
  const first = questions.endOf(ended("a"));
  await clock.advance(50);
  answers.shift()?.reject(new Error("no connection"));
  expect(await first).toBe("away");
  expect(questions.isAway).toBe(true);
  expect(await questions.endOf(ended("b"))).toBe("away");
  for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
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
  expect(lines).toEqual([
    "the recorder does not answer: pods of ended executors are deleted before their logs are read",
    "the recorder answers again",
  ]);
});
