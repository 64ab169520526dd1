import { expect, test } from "vitest";
import { connectSessions, connectSessionsText } from "../../src/index.ts";

const PROFILE = { "connect.kindling/profile": "small" };
const TAKEN = { ...PROFILE, "connect.kindling/key": "k" };

test.each([
  ["one user", { labels: TAKEN, annotations: { "connect.kindling/user": "alice" } }, "small, of alice"],
  ["all users", { labels: TAKEN }, "small, of all users"],
  ["nobody yet", { labels: PROFILE, annotations: {} }, "small, waits for a session"],
])("a driver for %s says so", (_, pod, words) => {
  const sessions = connectSessions(pod);
  expect(sessions && connectSessionsText(sessions)).toBe(`Spark Connect, profile ${words}`);
});

test.each([
  ["another application", { labels: { "spark-role": "driver" } }],
  ["a pod without labels", {}],
  ["an executor that has a driver's label", { labels: { ...TAKEN, "spark-role": "executor" } }],
])("%s has no sessions", (_, pod) => {
  expect(connectSessions(pod)).toBeUndefined();
});
