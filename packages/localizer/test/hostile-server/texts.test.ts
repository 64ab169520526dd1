import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { pod, type PodConfig } from "../support/localizer-process.ts";
import { webServer, type WebServer } from "../support/web-server.ts";

const SECRET = "topsecret-0123456789";
const KEYS = { AWS_ACCESS_KEY_ID: "access", AWS_SECRET_ACCESS_KEY: SECRET };
const LONG = 15_000_000;

/** Clears the screen, rings the bell, changes the writing direction, begins new lines, and has a secret where a text is cut. */
const HOSTILE = `\u001b[2J\u0007\u202e\u2066\u009b31m\u0085\u2028done /fake: 1 B\r\n${"x".repeat(985)}${SECRET} `;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Wire {
  readonly answer: (words: string) => Answer;
  readonly config: (server: WebServer, volume: string, secretFile: string) => PodConfig;
}

const WIRES: Readonly<Record<string, Wire>> = {
  "a staging server": {
    answer: (detail) => (_, response) => {
      response.writeHead(403, { "content-type": "application/problem+json" });
      response.end(JSON.stringify({ type: detail, title: detail, status: 403, detail, requestId: detail }));
    },
    config: ({ uri: server }, volume, secretFile) => ({
      bundles: { app: { server, id: "b", secretFile } },
      files: [{ from: { bundle: "app", file: "a" }, to: `${volume}/a` }],
    }),
  },
  "a repository": {
    answer: (detail) => (_, response) => {
      response.writeHead(403, { "content-type": "application/problem+json" });
      response.end(JSON.stringify({ type: "about:blank", title: detail, status: 403 }));
    },
    config: ({ uri }, volume) => ({ files: [{ from: { uri: `${uri}/a?token=${SECRET}` }, to: `${volume}/a` }] }),
  },
  S3: {
    answer: (words) => (_, response) => {
      response.writeHead(403, { "x-amz-bucket-region": "eu west 1 \xa0" });
      response.end(`<Error><Code>${words}</Code><Message>${words}</Message></Error>`);
    },
    config: ({ uri: endpoint }, volume) => ({
      s3: { endpoint },
      files: [{ from: { uri: "s3a://bucket/a" }, to: `${volume}/a` }],
    }),
  },
  WebHDFS: {
    answer: (words) => (_, response) => {
      response.writeHead(403).end(JSON.stringify({ RemoteException: { exception: words, message: words } }));
    },
    config: ({ uri }, volume) => ({
      files: [{ from: { uri: `${uri.replace("http:", "webhdfs:")}/a` }, to: `${volume}/a` }],
    }),
  },
  "a redirect": {
    answer: (words) => (_, response) => {
      response.writeHead(302, { location: `${words.replaceAll(/[^a-z0-9-]/g, "x").slice(0, 8000)}:x` }).end(words);
    },
    config: ({ uri }, volume) => ({ files: [{ from: { uri: `${uri}/a?token=${SECRET}` }, to: `${volume}/a` }] }),
  },
};

/**
 * Characters that no text from outside may bring into a log: format characters, and all controls except the log's own
 * line breaks.
 */
const HARMFUL = /[\p{Cf}\p{Zl}\p{Zp}\0-\x09\x0b-\x1f\x7f-\x9f]/u;

describe.each(Object.entries(WIRES))("hostile server: %s", (_, { answer, config }) => {
  test.each([
    ["says something harmful", HOSTILE],
    ["says something harmful at length", HOSTILE + "y".repeat(10_000)],
    ["answers with 15 MB", HOSTILE + "z".repeat(LONG)],
  ])("that %s is quoted with a KiB at most, without harm and without secrets", async (_what, words) => {
    const { run, volume, folder } = pod();
    const server = await webServer(answer(words));
    const document = config(server, volume, folder.write("secret", SECRET));
    const { code, stderr, terminationLog, failure } = await run(document, { env: KEYS });
    expect(code, stderr.slice(0, 1000)).toBeGreaterThan(1);
    for (const text of [stderr, failure.message, failure.file ?? "", failure.hint ?? ""]) {
      expect(text).not.toMatch(HARMFUL);
      // Also not the part of it that a cut might leave.
      expect(text).not.toContain(SECRET.slice(0, 8));
    }
    expect(stderr).not.toMatch(/^done /m);
    expect(stderr.length).toBeLessThan(4096);
    expect(Buffer.byteLength(terminationLog)).toBeLessThanOrEqual(4096);
    expect(Buffer.byteLength(failure.message)).toBeLessThan(1500);
  });
});

describe("hostile server", () => {
  test.each<[string, Answer]>([
    ["a refusal", (_, response) => endless(response.writeHead(404))],
    ["a refusal of a known kind", (_, response) => endless(response.writeHead(404, PROBLEM))],
    ["a redirect", (_, response) => endless(response.writeHead(302, { location: "http://other.example/" }))],
  ])("that sends %s without end is not listened to", async (_, answer) => {
    const { run, volume } = pod();
    const server = await webServer(answer);
    const files = [{ from: { uri: `${server.uri}/a` }, to: `${volume}/a` }];
    const { code, failure } = await run({ files, redirectHosts: ["repo.example"] });
    expect([3, 10]).toContain(code);
    expect(failure.message.length).toBeLessThan(500);
  });
});

const PROBLEM = { "content-type": "application/problem+json" };
const CHUNK = Buffer.alloc(64 * 1024, " ");

function endless(response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write(CHUNK));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
}
