import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, onTestFinished, test } from "vitest";
import { piOf } from "./support/submissions.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const SUBMISSIONS = "/api/v1/submissions";

interface ServerEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: { readonly id?: string; readonly phase?: string };
}

interface EventReader {
  readonly events: readonly ServerEvent[];
  readonly status: number;
  readonly ended: Promise<void>;
  close(): void;
}

async function readEvents(server: TestServer, path: string, lastEventId?: string): Promise<EventReader> {
  const aborting = new AbortController();
  onTestFinished(() => aborting.abort());
  const response = await fetch(new URL(path, server.uri), {
    signal: aborting.signal,
    headers: { ...(lastEventId !== undefined && { "last-event-id": lastEventId }) },
  });
  const events: ServerEvent[] = [];
  const read = async (): Promise<void> => {
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      events.push(...parts.flatMap(eventOf));
    }
  };
  return { events, status: response.status, ended: read().catch(() => undefined), close: () => aborting.abort() };
}

function eventOf(part: string): ServerEvent[] {
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "m").exec(part)?.[1];
  const event = field("event");
  if (event === undefined) return [];
  return [{ event, id: field("id"), data: JSON.parse(field("data") ?? "{}") as ServerEvent["data"] }];
}

async function submitted(server: TestServer, members: Record<string, unknown> = {}): Promise<string> {
  return String((await server.ask("POST", SUBMISSIONS, piOf(members))).body["id"]);
}

test("a stream of events begins with all there is, and goes on with what changes", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const first = await submitted(server);
  await eventually(async () => expect((await server.ask("GET", SUBMISSIONS)).text).toContain(first));
  const reader = await readEvents(server, "/api/v1/events");
  await eventually(() => expect(reader.events.map(({ event }) => event)).toContain("current"));
  expect(reader.events[0]?.event).toBe("reset");
  expect(reader.events[1]).toMatchObject({ event: "application", data: { id: first } });
  const second = await submitted(server, { namespace: "elsewhere" });
  await eventually(() =>
    expect(reader.events.findLast(({ data }) => data.id === second)).toMatchObject({ data: { phase: "Running" } }),
  );
  await server.ask("DELETE", `${SUBMISSIONS}/${second}?gracePeriodSeconds=0`);
  await eventually(() => expect(reader.events.at(-1)).toMatchObject({ event: "gone", data: { id: second } }));
});

test("who comes back with the last id is told what came since, and nothing twice", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const reader = await readEvents(server, "/api/v1/events");
  const first = await submitted(server);
  await eventually(() => expect(reader.events.at(-1)).toMatchObject({ data: { id: first, phase: "Running" } }));
  const lastId = reader.events.at(-1)?.id;
  reader.close();
  const second = await submitted(server);
  await eventually(async () =>
    expect((await server.ask("GET", `${SUBMISSIONS}?state=running`)).text).toContain(second),
  );
  const again = await readEvents(server, "/api/v1/events", lastId);
  await eventually(() => expect(again.events.at(-1)).toMatchObject({ data: { id: second, phase: "Running" } }));
  expect(again.events.map(({ event }) => event)).not.toContain("reset");
  expect(again.events.some(({ data }) => data.id === first)).toBe(false);
});

test("who has missed more than is kept, or comes from another run of the service, is told all anew", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster, { settings: ["--limits-events-kept", "2"] });
  const reader = await readEvents(server, "/api/v1/events");
  await eventually(() => expect(reader.events.at(-1)?.event).toBe("current"));
  const lastId = reader.events.at(-1)?.id;
  const ids = [await submitted(server), await submitted(server)];
  await eventually(async () =>
    expect((await server.ask("GET", `${SUBMISSIONS}?state=running`)).body["items"]).toHaveLength(2),
  );
  for (const id of [lastId, "another-7"]) {
    const again = await readEvents(server, "/api/v1/events", id);
    await eventually(() => expect(again.events.at(-1)?.event).toBe("current"));
    expect(again.events[0]?.event).toBe("reset");
    const told = again.events.flatMap(({ data }) => data.id ?? []);
    expect(told.toSorted()).toEqual(ids.toSorted());
  }
});

test("the events of one application end with it, and there are no more of them", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const id = await submitted(server);
  const driver = await cluster.driver();
  await cluster.inPhase(driver, "Running");
  const reader = await readEvents(server, `${SUBMISSIONS}/${id}/events`);
  await submitted(server, { namespace: "elsewhere" });
  cluster.end(driver, 0);
  await reader.ended;
  expect(reader.events.at(-1)).toMatchObject({ event: "application", data: { id, phase: "Succeeded" } });
  expect(new Set(reader.events.flatMap(({ data }) => data.id ?? []))).toEqual(new Set([id]));
  const again = await readEvents(server, `${SUBMISSIONS}/${id}/events`, reader.events.at(-1)?.id);
  expect(again.status).toBe(204);
});

test("streams end when the service stops", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const reader = await readEvents(server, "/api/v1/events");
  await server.stop();
  await reader.ended;
  await expect(fetch(server.uri)).rejects.toThrow("fetch failed");
});
