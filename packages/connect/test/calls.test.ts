import { createHash, randomBytes, randomUUID } from "node:crypto";
import { eventually } from "@kindling/test-kit/eventually";
import { describe, expect, test } from "vitest";
import { writeMessage } from "../src/protobuf/write-message.ts";
import { endOf } from "@kindling/test-kit/connect-client";
import { framed, identityIn, request } from "@kindling/test-kit/connect-messages";
import { answerWith } from "./support/stub-driver.ts";
import { startTestServer } from "./support/test-server.ts";

const [SESSION, OTHER] = [randomUUID(), randomUUID()];
const PATIENT = 30_000;

describe("a call", () => {
  test(
    "reaches its driver, with the user who was authenticated, and the answer comes back",
    { timeout: PATIENT },
    async () => {
      const { client, driver, pods } = await startTestServer();
      const headers = { "x-profile": "small", "x-tag": "mine" };
      const ended = await client().call("ExecutePlan", { session: SESSION, headers });
      expect(ended).toMatchObject({ status: "0", message: "" });
      expect(identityIn(ended.body.subarray(5))).toEqual({ session: SESSION, user: "alice" });
      const [call] = driver.calls;
      expect(call?.headers).toMatchObject({ "x-tag": "mine", te: "trailers" });
      expect(call?.headers).not.toHaveProperty("x-profile");
      expect(String(call?.headers.authorization)).not.toContain("alice");
      expect(await pods()).toHaveLength(1);
    },
  );

  test(
    "cannot be for another user or session, whatever its first message says later",
    { timeout: PATIENT },
    async () => {
      const { client, driver } = await startTestServer();
      const bodies = [
        request(SESSION, "bob"),
        request(SESSION, "bob", [1, OTHER], [2, writeMessage([1, "bob"], [2, "bob"])], [1, OTHER]),
        writeMessage([3, "first"], [1, SESSION], [2, writeMessage([1, "bob"])]),
      ];
      for (const body of bodies) await client().call("AnalyzePlan", { body: framed(body) });
      expect(driver.calls.map(({ session, user }) => [session, user])).toEqual(bodies.map(() => [SESSION, "alice"]));
    },
  );

  test("whose last field would swallow the user's name is refused", { timeout: PATIENT }, async () => {
    const { client, driver } = await startTestServer();
    const honest = request(SESSION, "bob");
    // A field that says it is longer than what comes: what is put behind it would become its value.
    const open = Buffer.concat([honest, Buffer.from([0x22, 0x60])]);
    const ended = await client().call("ExecutePlan", { body: framed(open) });
    expect(ended).toMatchObject({ status: "3", message: "field 4 is longer than its message" });
    expect(driver.calls).toEqual([]);
  });

  test.each([
    ["without a session", framed(writeMessage([3, "x"])), "3", "the request does not begin with a session_id"],
    ["that is empty", framed(Buffer.alloc(0)), "3", "the request does not begin with a session_id"],
    ["with a session that is no UUID", framed(request("../../etc")), "3", /Handle must be an UUID/],
    ["with a compressed message", Buffer.from([1, 0, 0, 0, 1, 8]), "12", /send them as identity/],
    ["with a message of 4 GB", Buffer.from([0, 255, 255, 255, 255, 8]), "8", /at most 134217728 are accepted/],
    ["with a group", framed(Buffer.from([0x0b, 0x0c])), "3", "field 1 is a group, which is not supported"],
    [
      "that ends before its message",
      framed(request(SESSION)).subarray(0, 20),
      "3",
      "the call ended before its first message did",
    ],
    [
      "that ends in the middle of its message",
      framed(request(SESSION, "x".repeat(100))).subarray(0, 90),
      "3",
      "the call ended before its first message did",
    ],
  ])("%s is refused", { timeout: PATIENT }, async (_, body, status, message) => {
    const { client } = await startTestServer();
    const ended = await client().call("ExecutePlan", { body });
    expect(ended.status).toBe(status);
    expect(ended.message).toMatch(message);
  });

  test("of another service is refused, and a health check needs no token", { timeout: PATIENT }, async () => {
    const { client } = await startTestServer();
    const own = client();
    const reflection = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    expect(await own.call("", { path: reflection })).toMatchObject({ status: "12" });
    const health = await own.call("", { path: "/grpc.health.v1.Health/Check", token: "" });
    expect(health).toMatchObject({ status: "0", body: Buffer.from([0, 0, 0, 0, 2, 8, 1]) });
  });

  test("that never sends its message is ended", { timeout: PATIENT }, async () => {
    const { client } = await startTestServer({ settings: ["--limits-first-message", "1s"] });
    const ended = await endOf(client().begin("ExecutePlan"));
    expect(ended).toMatchObject({ status: "4", message: "the first message of the call did not come in time" });
  });
});

describe("an answer", () => {
  test("of 64 MiB comes as it was sent, also to a slow reader", { timeout: 60_000 }, async () => {
    const { client, driver } = await startTestServer();
    const piece = framed(randomBytes(1024 * 1024));
    driver.answer = ({ stream }) =>
      answerWith(
        stream,
        Array.from({ length: 64 }, () => piece),
      );
    const ended = await client().call("ExecutePlan", { session: SESSION });
    const whole = createHash("sha256");
    for (let count = 0; count < 64; count += 1) whole.update(piece);
    expect(createHash("sha256").update(ended.body).digest("hex")).toBe(whole.digest("hex"));
    expect(ended.status).toBe("0");
  });

  test("with a failure keeps the driver's status and its details", { timeout: PATIENT }, async () => {
    const { client, driver } = await startTestServer();
    driver.answer = ({ stream }) => {
      const details = Buffer.from("[TABLE_OR_VIEW_NOT_FOUND] no such table").toString("base64");
      const headers = {
        ":status": 200,
        "content-type": "application/grpc",
        "grpc-status": "13",
        "grpc-message": "no such table",
      };
      stream.respond({ ...headers, "grpc-status-details-bin": details }, { endStream: true });
    };
    const ended = await client().call("AnalyzePlan", { session: SESSION });
    expect(ended).toMatchObject({
      status: "13",
      message: "no such table",
      details: "[TABLE_OR_VIEW_NOT_FOUND] no such table",
    });
  });

  test("that breaks off says so, and the next call finds the driver again", { timeout: PATIENT }, async () => {
    const { client, driver, pods } = await startTestServer();
    const own = client();
    const usual = driver.answer;
    driver.answer = ({ stream }) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      stream.write(framed(Buffer.from("half")), () => driver.breakOff());
    };
    const broken = await own.call("ExecutePlan", { session: SESSION });
    expect(broken).toMatchObject({ status: "14", message: "the connection to the session's driver broke" });
    driver.answer = usual;
    expect(await own.call("ReattachExecute", { session: SESSION })).toMatchObject({ status: "0" });
    expect(await pods()).toHaveLength(1);
  });

  test("that its client does not want any more is not asked for any more", { timeout: PATIENT }, async () => {
    const { client, driver } = await startTestServer();
    const closed: boolean[] = [];
    driver.answer = ({ stream }) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      stream.on("close", () => closed.push(true));
    };
    const stream = client().begin("ExecutePlan");
    stream.end(framed(request(SESSION)));
    await eventually(() => expect(driver.calls).toHaveLength(1));
    stream.close(8);
    await eventually(() => expect(closed).toEqual([true]));
  });

  test.each([
    ["a large one", 32 * 1024 * 1024, 65_535],
    ["a small one, without a window for it", 1, 0],
  ])("that its client does not take is cut: %s", { timeout: PATIENT }, async (_, bytes, initialWindowSize) => {
    const { client, driver, adminUri } = await startTestServer({ settings: ["--limits-reader-stall", "1s"] });
    driver.answer = ({ stream }) => answerWith(stream, [framed(Buffer.alloc(bytes))]);
    const own = client();
    own.session.settings({ initialWindowSize });
    const stream = own.begin("ExecutePlan");
    stream.end(framed(request(SESSION)));
    const ended = new Promise((resolve) => stream.on("close", resolve));
    stream.pause();
    await eventually(async () => {
      const metrics = await (await fetch(new URL("metrics", adminUri))).text();
      expect(metrics).toContain('connect_cut_total{reason="stalled"} 1');
    });
    stream.resume();
    await ended;
  });
});
