import { randomUUID } from "node:crypto";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { endOf } from "@kindling/test-kit/connect-client";
import { framed, request } from "@kindling/test-kit/connect-messages";
import { accessList, rewrite, startTestServer } from "./support/test-server.ts";

const PATIENT = 30_000;
const SESSION = randomUUID();
const [ALICE, BOB, CAROL] = ["token-of-alice", "token-of-bob", "token-of-carol"];

test.each([
  ["no token", "", "16", "no token was sent: write sc://HOST:PORT/;use_ssl=true;token=TOKEN"],
  ["a wrong token", "guess", "16", "the token is not accepted: it is wrong, has ended, or is for another audience"],
  ["a token without rights there", CAROL, "7", "carol may not use any profile: there is none that you may use"],
])("%s is refused before anything is made", { timeout: PATIENT }, async (_, token, status, message) => {
  const { client, pods } = await startTestServer();
  expect(await client().call("ExecutePlan", { token })).toMatchObject({ status, message });
  expect(await pods()).toEqual([]);
});

test(
  "a token in the header of older Scala clients is accepted, and no driver sees it",
  { timeout: PATIENT },
  async () => {
    const { client, driver } = await startTestServer();
    const headers = { authentication: `Bearer ${ALICE}` };
    expect(await client().call("Config", { token: "", headers })).toMatchObject({ status: "0" });
    expect(driver.calls.map((call) => call.headers["authentication"])).toEqual([undefined]);
  },
);

test("a profile and a queue are told only to those who may use them", { timeout: PATIENT }, async () => {
  const profiles = [
    "profiles:",
    "  open: {namespace: spark-jobs, image: stub:1, command: [serve], queue: usual, queues: [adhoc]}",
    "  few: {namespace: spark-jobs, image: stub:1, command: [serve], access: {users: [carol]}}",
  ].join("\n");
  const { client } = await startTestServer({ profiles });
  const own = client();
  const call = async (token: string, profile: string, queue = ""): Promise<string> =>
    (await own.call("ExecutePlan", { token, headers: { "x-profile": profile, "x-queue": queue } })).message;
  expect(await call(ALICE, "few")).toBe("alice may not use profile few: you may use open");
  expect(await call(ALICE, "none")).toBe("alice may not use profile none: you may use open");
  expect(await call(CAROL, "open")).toBe("carol may not use profile open: you may use few");
  expect(await call(ALICE, "open", "night")).toBe("profile open has no such queue: it has usual, adhoc");
});

test(
  "two users have two drivers, and the session of one is not there for the other",
  { timeout: PATIENT },
  async () => {
    const { client, driver, pods } = await startTestServer();
    const own = client();
    await own.call("ExecutePlan", { session: SESSION });
    const stolen = await own.call("ReattachExecute", { session: SESSION, token: BOB });
    expect(stolen).toMatchObject({ status: "13" });
    expect(stolen.details).toContain("[INVALID_HANDLE.SESSION_NOT_FOUND]");
    await own.call("ExecutePlan", { session: SESSION, token: BOB });
    expect(driver.calls.map(({ user }) => user)).toEqual(["alice", "bob"]);
    const owners = (await pods()).map(({ metadata }) => metadata?.annotations?.["connect.kindling/user"]);
    expect(owners.toSorted((a = "", b = "") => a.localeCompare(b))).toEqual(["alice", "bob"]);
  },
);

test("a token that is taken back ends the calls that have it", { timeout: PATIENT }, async () => {
  const { client, driver, accessFile } = await startTestServer({ settings: ["--auth-cache", "1s"] });
  driver.answer = ({ stream }) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc" });
    stream.write(framed(Buffer.from("the first of many")));
  };
  const stream = client().begin("ExecutePlan");
  const ended = endOf(stream);
  stream.end(framed(request(SESSION)));
  await eventually(() => expect(driver.calls).toHaveLength(1));
  rewrite(accessFile, accessList([["bob", BOB, "spark-jobs"]]));
  expect(await ended).toMatchObject({ status: "16", message: "the token of this call has ended or was taken back" });
});

test("one user cannot take all calls", { timeout: PATIENT }, async () => {
  const { client, driver } = await startTestServer({ settings: ["--limits-calls-per-user", "2"] });
  const own = client();
  driver.answer = () => undefined;
  for (const count of [1, 2]) {
    own.begin("ExecutePlan").end(framed(request(SESSION)));
    await eventually(() => expect(driver.calls).toHaveLength(count));
  }
  expect(await own.call("ExecutePlan")).toMatchObject({
    ...{ status: "8", message: "alice has 2 calls under way, and may have no more" },
  });
});
