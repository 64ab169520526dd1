import { type KubeClient, kubeError, resources } from "@kindling/kube";
import type { Event } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { createEventRecorder, type EventRecorder } from "../src/index.ts";
import { type HollowTerm, hollowTerm } from "./hollow-term.ts";

const SUBJECT = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "driver", namespace: "default", uid: "0123456789abcdef" },
};
const WAITS = { type: "Normal", reason: "AwaitingAdmission", name: "waits" } as const;

interface Setting {
  readonly term: HollowTerm;
  readonly events: EventRecorder;
  readonly written: () => Promise<readonly Event[]>;
}

async function recorder(change: (client: KubeClient) => Partial<KubeClient> = () => ({})): Promise<Setting> {
  const term = await hollowTerm();
  const client = { ...term.client, ...change(term.client) };
  const { clock, random, log } = term;
  const events = createEventRecorder({ client, clock, random, log, component: "test" });
  const written = async (): Promise<readonly Event[]> => {
    const { items } = await term.client.listAll(resources.events, { namespace: "default" });
    return items.filter(({ involvedObject }) => involvedObject.name === "driver");
  };
  return { term, events, written };
}

test("what is recorded is written, each in an event of its own, as client-go writes it", async () => {
  const { events, written } = await recorder();
  events.record(SUBJECT, [
    { type: "Normal", reason: "Started", message: "it has started" },
    { type: "Warning", reason: "Failed", message: "x".repeat(2_000) },
  ]);
  await events.flush();
  const all = (await written()).toSorted((a, b) => (a.metadata.name ?? "").localeCompare(b.metadata.name ?? ""));
  expect(all.map(({ reason, type, count, message = "" }) => [reason, type, count, message.length])).toEqual([
    ["Started", "Normal", 1, 14],
    ["Failed", "Warning", 1, 1_024],
  ]);
  expect(all[0]?.source?.component).toBe("test");
});

test("an event that cannot be written for now is written later", async () => {
  let faults = 2;
  const { term, events, written } = await recorder((client) => ({
    create(...args) {
      if (faults-- > 0) throw kubeError({ kind: "unreachable", code: undefined }, "away");
      return client.create(...args);
    },
  }));
  events.record(SUBJECT, [{ type: "Normal", reason: "Started", message: "it has started" }]);
  await term.until(async () => expect(await written()).toHaveLength(1));
});

test("a named event is one, however often it is told, and changes a few times a minute", async () => {
  const { term, events, written } = await recorder();
  const message = async (): Promise<readonly string[]> => (await written()).map((event) => event.message ?? "");
  events.tell(SUBJECT, { ...WAITS, message: "one" });
  events.tell(SUBJECT, { ...WAITS, message: "two" });
  await term.until(async () => expect(await message()).toEqual(["one"]));
  await term.clock.advance(15_000);
  events.tell(SUBJECT, { ...WAITS, message: "three" });
  await term.until(async () => expect(await message()).toEqual(["three"]));
  const [event] = await written();
  expect([event?.metadata.name, event?.count]).toEqual(["driver.waits-01234567", 2]);
});

test("a named event that an earlier process has made is changed", async () => {
  const first = await recorder();
  await first.events.tellOnce(SUBJECT, { ...WAITS, message: "one" });
  const { client, clock, random, log } = first.term;
  const second = createEventRecorder({ client, clock, random, log, component: "test" });
  await second.tellOnce(SUBJECT, { ...WAITS, message: "two" });
  expect((await first.written()).map((event) => event.message)).toEqual(["two"]);
});

test("of faults in a row, people are told of the first", async () => {
  const { term, events } = await recorder(() => ({
    create: () => Promise.reject(kubeError({ kind: "unreachable", code: undefined }, "away")),
  }));
  for (const message of ["one", "two"]) {
    events.tell(SUBJECT, { ...WAITS, message });
    await term.clock.advance(15_000);
  }
  expect(term.lines).toEqual(["warn an event could not be written", "debug an event could not be written"]);
});
